"""What is known of a run before a model is loaded: the probe, its checked materials and the settings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tacit.errors import TacitError
from tacit.methods import get_method
from tacit.methods.base import Family, Method, Settings
from tacit.probes import Probe, load_probe
from tacit.probes.loading import is_file
from tacit.runs.record import ProbeRecord, RunRecord
from tacit.runs.store import inside
from tacit.storage import file_hash, write_atomic

__all__ = ["MATERIALS", "Prepared", "copy_materials", "count_questions", "name_copies", "prepare", "prepare_again"]

MATERIALS = "materials"
_SET = "--set "


@dataclass(frozen=True)
class Prepared:
    """A probe ready to be asked; `changed` are the settings that the user named."""

    given_as: str
    probe: Probe
    method: Method[Any, Any]
    settings: Settings
    materials: Any
    changed: dict[str, Any]

    @property
    def files(self) -> dict[str, Path]:
        """The material files by the names that the YAML gives them, and files that settings name, as `--set NAME`."""
        named = {name: self.probe.folder / name for name in self.probe.file_names()}
        settings = {f"{_SET}{name}": Path(value) for name, value in self.settings if isinstance(value, str | Path)}
        return {**named, **{name: path for name, path in settings.items() if is_file(path)}}

    def hashes(self) -> dict[str, str]:
        """SHA-256 of everything that the run is fed."""
        return {**self.probe.hashes(), **{name: file_hash(path) for name, path in self.files.items()}}

    def record(self) -> ProbeRecord:
        """The probe's part of the run's record."""
        words = self.probe.model_dump(include={"name", "version", "title", "method", "description", "limits"})
        return ProbeRecord(
            **words, paper=self.probe.paper, given_as=self.given_as, source=f"{MATERIALS}/{self.probe.source.name}"
        )

    def about(self, family: Family) -> tuple[Any, Settings, Family]:
        """What a method needs to know to ask."""
        return self.materials, self.settings, family

    def recorded_settings(self) -> dict[str, Any]:
        """The settings as JSON holds them, so that they can be compared with a record's."""
        loaded: dict[str, Any] = json.loads(self.settings.model_dump_json())
        return loaded


def prepare(probe: str | Path, changed: dict[str, Any], mode: str | None) -> Prepared:
    """Load the probe, and check settings and materials."""
    loaded = load_probe(probe)
    changed = {**changed, **({} if mode is None else {"mode": mode})}
    return _prepared(str(probe), loaded, {**loaded.settings, **changed}, changed)


def prepare_again(folder: Path, record: RunRecord) -> Prepared:
    """The same from what a run folder holds, wherever the folder went since."""
    for name, copy in record.copies.items():
        if name in record.materials:
            _require_unchanged(inside(folder, f"{MATERIALS}/{copy}"), record.materials[name])
    probe = load_probe(inside(folder, record.probe.source))
    if probe.hashes()["materials"] != record.materials["materials"]:
        raise TacitError(f"{probe.source} has other materials than the run was fed; run it again.")
    materials = _renamed(probe.materials, record.copies)
    probe = probe.model_copy(update={"name": record.probe.name, "materials": materials})
    set_files = {name: str(folder / MATERIALS / record.copies[f"{_SET}{name}"]) for name in _set_names(record)}
    _require_own_files(probe, {**record.settings, **set_files}, folder)
    return _prepared(record.probe.given_as, probe, {**record.settings, **set_files}, record.changed_settings)


def name_copies(prepared: Prepared) -> dict[str, str]:
    """From the name that the YAML gives a file to its name among the copies, which never leaves their folder."""
    source = prepared.probe.source.name
    copies = {source: source}
    for number, (name, path) in enumerate(prepared.files.items()):
        inside = not Path(name).is_absolute() and ".." not in Path(name).parts and not name.startswith(_SET)
        copies[name] = name if inside else f"{number}-{path.name}"
    return copies


def count_questions(prepared: Prepared, family: Family) -> int | None:
    """How many questions there will be, at most where that depends on the answers; None when it cannot be told."""
    return prepared.method.count_questions(prepared.materials, prepared.settings, family)


def copy_materials(prepared: Prepared, copies: dict[str, str], folder: Path) -> None:
    """Keep the probe's YAML and material files with the run, so that it can be recomputed later and by others."""
    for name, path in {prepared.probe.source.name: prepared.probe.source, **prepared.files}.items():
        copy = inside(folder, f"{MATERIALS}/{copies[name]}")
        if not (copy.exists() and copy.samefile(path)):
            write_atomic(copy, path.read_bytes())


def _prepared(given_as: str, probe: Probe, settings: dict[str, Any], changed: dict[str, Any]) -> Prepared:
    method = get_method(probe.method)
    checked = _checked(method.settings, settings, probe)
    return Prepared(given_as, probe, method, checked, method.materials(probe, checked), changed)


def _checked(kind: type[Settings], settings: dict[str, Any], probe: Probe) -> Settings:
    try:
        return kind(**settings)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "the settings"
        if first["type"] == "extra_forbidden":
            known = ", ".join(kind.model_fields)
            raise TacitError(f"The probe {probe.name} has no setting {name!r}: its settings are {known}.") from None
        problem = first["msg"].removeprefix("Value error, ").rstrip(".")
        raise TacitError(f"The setting {name} of the probe {probe.name} is wrong: {problem}.") from None


def _require_own_files(probe: Probe, settings: dict[str, Any], folder: Path) -> None:
    """A run that came from a stranger is measured from its own folder alone: no other file is opened."""
    materials = [probe.folder / name for name in probe.file_names()]
    named = [Path(value) for value in settings.values() if isinstance(value, str) and is_file(Path(value))]
    for path in [*materials, *named]:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise TacitError(f"The run in {folder} reads {path}, which is not part of it: run the probe again.")


def _set_names(record: RunRecord) -> list[str]:
    return [name.removeprefix(_SET) for name in record.copies if name.startswith(_SET)]


def _require_unchanged(path: Path, expected: str) -> None:
    if not path.is_file() or file_hash(path) != expected:
        raise TacitError(f"{path} is missing or not what the run was fed: the run cannot be recomputed; run it again.")


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value
