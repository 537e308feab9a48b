"""A probe: a method with materials, under a name, kept as a folder or given as one YAML file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from tacit.errors import TacitError
from tacit.storage import file_hash
from tacit.tables import read_yaml

__all__ = ["Paper", "Probe", "is_file", "load_probe", "probe_names"]

_SHIPPED = Path(__file__).parent


class Paper(BaseModel):
    """The study that a probe follows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    authors: str
    title: str
    year: int
    venue: str = ""


class Probe(BaseModel):
    """A probe as its YAML describes it; `folder` is where its material files stand."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    version: int
    title: str
    method: str
    description: str = ""
    paper: Paper | None = None
    settings: dict[str, Any] = {}
    materials: dict[str, Any] = {}
    limits: tuple[str, ...] = ()
    tour: dict[str, Any] | None = {}
    """Settings that shrink the probe for `tacit tour`; null leaves it out of the tour."""
    folder: Path
    source: Path

    def path(self, material: str) -> Path:
        """The file that the YAML names for a material."""
        if material not in self.materials:
            raise TacitError(f"{self.source}: the materials name no {material!r}; add the line `{material}: FILE`.")
        return self.folder / str(self.materials[material])

    def file_names(self) -> list[str]:
        """The material files, by the names that the YAML gives them (also within its lists and mappings)."""
        return [name for name in dict.fromkeys(_strings(self.materials)) if is_file(self.folder / name)]

    def hashes(self) -> dict[str, str]:
        """SHA-256 of what the YAML says under `materials`, and of each file that it names there."""
        said = json.dumps(self.materials, sort_keys=True, default=str).encode()
        files = {name: file_hash(self.folder / name) for name in self.file_names()}
        return {"materials": hashlib.sha256(said).hexdigest(), **files}


def probe_names() -> list[str]:
    """The probes that ship with Tacit."""
    return sorted(folder.parent.name for folder in _SHIPPED.glob("*/probe.yaml"))


def load_probe(name: str | Path) -> Probe:
    """A shipped probe by name, or a user's own by the path of its YAML file or folder."""
    source = _source(str(name))
    fields = {"name": source.stem if source.stem != "probe" else source.parent.name, "version": 1, **read_yaml(source)}
    try:
        return Probe(**{"title": fields["name"], **fields}, folder=source.parent, source=source)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise TacitError(f"{source}: {where}: {first['msg']}.") from None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def is_file(path: Path) -> bool:
    """Whether there is such a file; a long or odd text is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _source(name: str) -> Path:
    shipped = _SHIPPED / name / "probe.yaml"
    if shipped.is_file():
        return shipped
    given = Path(name)
    if given.is_dir() and (given / "probe.yaml").is_file():
        return given / "probe.yaml"
    if given.suffix in {".yaml", ".yml"}:
        return given
    from difflib import get_close_matches  # noqa: PLC0415 - only the unlucky pay for it

    close = get_close_matches(name, probe_names(), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(probe_names())}, or give a YAML file."
    raise TacitError(f"There is no probe {name!r}: {hint}")
