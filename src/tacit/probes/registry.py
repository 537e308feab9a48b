"""Probes by name: the shipped ones and those of installed packages, each a folder with a `probe.yaml`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

__all__ = ["find_shipped", "probe_folders"]


@cache
def probe_folders() -> dict[str, Path]:
    """The folder of each probe. An entry point of the group `tacit.probes` names a package that holds such folders."""
    found: dict[str, Path] = {}
    # Tacit's own come first, so that no package can put its own in the place of a shipped probe.
    for point in sorted(entry_points(group="tacit.probes"), key=lambda point: point.value != "tacit.probes"):
        for source in _sources(point.value):
            found.setdefault(source.parent.name, source.parent)
    return found


def find_shipped(value: object) -> object:
    """The path of a file that is named PROBE:FILE; any other value unchanged."""
    probe, colon, name = str(value).partition(":")
    folder = probe_folders().get(probe) if colon else None
    return folder / Path(name).name if folder else value


def _sources(package: str) -> list[Path]:
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return sorted(source for place in places or () for source in Path(place).glob("*/probe.yaml"))
