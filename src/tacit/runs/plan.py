"""The plan of a run, known before a model is loaded: the probe, its checked materials and its settings."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tacit.errors import MaterialsError, ModelError, RunError
from tacit.methods import get_method, method_names
from tacit.methods.base import Family, Method, Settings
from tacit.probes import Probe, load_probe
from tacit.probes.problems import plain_problem
from tacit.questions import Classify, Represent
from tacit.ratings import kept_bytes
from tacit.registry import did_you_mean
from tacit.runs.record import MATERIALS, RATINGS, FileCopy, ProbeRecord, RunRecord
from tacit.runs.store import path_inside
from tacit.storage import file_hash, write_atomic

__all__ = [
    "RATINGS",
    "Prepared",
    "copy_materials",
    "count_questions",
    "keep_ratings",
    "prepare",
    "prepare_again",
    "setting_names",
]

_IN_THE_YAML = "materials"
"""The name under which a record keeps the hash of what the YAML itself says under `materials`."""


@dataclass(frozen=True)
class Prepared:
    """A probe that is ready to run.

    Attributes:
        given_as: How the user named the probe.
        probe: The probe as its YAML describes it.
        method: Its method.
        settings: The method's settings, checked.
        materials: What the method read from the materials, checked.
        changed: The settings that the user named.
        material_files: The files that the method reads, by the names that the YAML gives them.
    """

    given_as: str
    probe: Probe
    method: Method[Any, Any]
    settings: Settings
    materials: Any
    changed: dict[str, Any]
    material_files: dict[str, Path]

    @cached_property
    def ratings(self) -> bytes | None:
        """The ratings that the measures rest on, as the run keeps them; None where nobody rates anything."""
        ratings = self.method.ratings(self.materials)
        return None if ratings is None else kept_bytes(ratings)

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of what the YAML says under `materials`, of each material file, and of the ratings."""
        files = {name: file_hash(path) for name, path in self.material_files.items()}
        ratings = {} if self.ratings is None else {RATINGS: hashlib.sha256(self.ratings).hexdigest()}
        return {_IN_THE_YAML: _yaml_hash(self.probe), **files, **ratings}

    def copies(self) -> dict[str, str]:
        """The name of the copy, in the run's folder, of the YAML, of each material file, and of the ratings."""
        source = self.probe.source.name
        copies = {source: source}
        for number, (name, path) in enumerate(self.material_files.items()):
            copies[name] = f"{number}-{path.name}" if ":" in name or name == source else name
        if self.ratings is not None:
            # Named by its content, so that newer ratings never overwrite those that a record vouches for.
            copies[RATINGS] = f"ratings-{self.hashes()[RATINGS][:12]}.csv"
        return copies

    def setting_files(self) -> dict[str, FileCopy]:
        """The files that settings name, with the names of their copies."""
        files = self.settings.files()
        return {name: FileCopy(copy=f"{name}-{path.name}", sha256=file_hash(path)) for name, path in files.items()}

    def record(self) -> ProbeRecord:
        """The part of the run's record that is about the probe."""
        texts = self.probe.model_dump(include={"name", "version", "title", "method", "description", "limits"})
        return ProbeRecord(
            **texts, paper=self.probe.paper, given_as=self.given_as, source=f"{MATERIALS}/{self.probe.source.name}"
        )

    def recorded_settings(self) -> dict[str, Any]:
        """The settings as JSON holds them, so that they can be compared with those of a record."""
        loaded: dict[str, Any] = json.loads(self.settings.model_dump_json())
        return loaded


def prepare(probe: str | Path, changed: dict[str, Any], mode: str | None) -> Prepared:
    """Load a probe, and check its settings and materials.

    Args:
        probe: A name, or the path of a YAML file or folder.
        changed: The settings that the user named.
        mode: The mode, if the user named one.
    """
    loaded = load_probe(probe)
    changed = {**changed, **({} if mode is None else {"mode": mode})}
    return _prepare(str(probe), loaded, {**loaded.settings, **changed}, changed)


def prepare_again(folder: Path, record: RunRecord, *, kept_ratings: bool = True) -> Prepared:
    """Prepare the probe of a run from the copies in its folder, wherever that folder is now.

    Args:
        folder: The run's folder.
        record: Its record.
        kept_ratings: Use the ratings that the run kept; otherwise those that there are by now.
    """
    for name, copy in record.copies.items():
        if name in record.materials and (kept_ratings or name != RATINGS):
            _require_unchanged(path_inside(folder, f"{MATERIALS}/{copy}"), record.materials[name])
    for file in record.setting_files.values():
        _require_unchanged(path_inside(folder, f"{MATERIALS}/{file.copy_name}"), file.sha256)
    probe = load_probe(path_inside(folder, record.probe.source))
    if _yaml_hash(probe) != record.materials.get(_IN_THE_YAML):
        raise RunError(f"{probe.source} has other materials than the run used. Run the probe again.")
    materials = _renamed(probe.materials, record.copies)
    probe = probe.model_copy(update={"name": record.probe.name, "materials": materials})
    copies = {name: str(folder / MATERIALS / file.copy_name) for name, file in record.setting_files.items()}
    kept = record.copies.get(RATINGS) if kept_ratings else None
    return _prepare(
        record.probe.given_as,
        probe,
        {**record.settings, **copies},
        record.changed_settings,
        only_in=folder,
        ratings=None if kept is None else path_inside(folder, f"{MATERIALS}/{kept}"),
    )


def setting_names(probe: str | Path) -> list[str]:
    """The settings that a probe has."""
    return list(_method(load_probe(probe)).settings.model_fields)


def count_questions(prepared: Prepared, family: Family) -> int | None:
    """How many questions there will be (at most, where that depends on the answers); None where nobody can know.

    A family that the probe does not ask is refused.
    """
    first = next(prepared.method.questions(prepared.materials, prepared.settings, family), None)
    if family == "classifier" and first is not None and not isinstance(first.question, Classify | Represent):
        raise ModelError(
            "A classifier gives labels and answers no other question. Use a masked, causal or seq2seq model with this "
            "probe."
        )
    return prepared.method.count_questions(prepared.materials, prepared.settings, family)


def copy_materials(prepared: Prepared, folder: Path) -> None:
    """Copy the probe's YAML and all files into the run, so that others can recompute it later."""
    copies, settings = prepared.copies(), prepared.setting_files()
    sources = {prepared.probe.source.name: prepared.probe.source, **prepared.material_files}
    places = {copies[name]: path for name, path in sources.items()}
    places |= {settings[name].copy_name: path for name, path in prepared.settings.files().items()}
    for name, path in places.items():
        copy = path_inside(folder, f"{MATERIALS}/{name}")
        if not (copy.exists() and copy.samefile(path)):
            write_atomic(copy, path.read_bytes())
    keep_ratings(prepared, folder)


def keep_ratings(prepared: Prepared, folder: Path) -> None:
    """Write the ratings that the measures rest on into the run."""
    if prepared.ratings is not None:
        write_atomic(path_inside(folder, f"{MATERIALS}/{prepared.copies()[RATINGS]}"), prepared.ratings)


def _prepare(
    given_as: str,
    probe: Probe,
    settings: dict[str, Any],
    changed: dict[str, Any],
    *,
    only_in: Path | None = None,
    ratings: Path | None = None,
) -> Prepared:
    """Check settings and materials; if `only_in` names a folder, files outside it are refused unread."""
    method = _method(probe)
    checked = _checked(method.settings, settings, probe)
    files = {name: probe.file(name) for name in probe.parse(method.shape).file_names()}
    if only_in is not None:
        for path in [*files.values(), *checked.files().values()]:
            if not path.resolve().is_relative_to(only_in.resolve()):
                raise RunError(f"The run in {only_in} reads {path}, which is not part of it. Run the probe again.")
    materials = method.materials_with(probe, checked, ratings) if ratings else method.materials(probe, checked)
    return Prepared(given_as, probe, method, checked, materials, changed, files)


def _method(probe: Probe) -> Method[Any, Any]:
    if probe.method not in method_names():
        hint = did_you_mean(probe.method, method_names())
        raise probe.refuse(("method",), f"there is no method {probe.method!r}: {hint}")
    return get_method(probe.method)


def _yaml_hash(probe: Probe) -> str:
    materials = json.dumps(probe.materials, sort_keys=True, default=str).encode()
    return hashlib.sha256(materials).hexdigest()


def _checked(kind: type[Settings], settings: dict[str, Any], probe: Probe) -> Settings:
    try:
        return kind(**settings)
    except ValidationError as error:
        problems = error.errors()
        first = problems[0]
        name = str(first["loc"][0]) if first["loc"] else "the settings"
        if first["type"] == "extra_forbidden":
            hint = did_you_mean(name, list(kind.model_fields))
            raise MaterialsError(f"The probe {probe.name} has no setting {name!r}: {hint}") from None
        value = _value_name(first["loc"])
        problem = plain_problem(value, problems, first).removeprefix(f"{value}: ")
        raise MaterialsError(f"The setting {name} of the probe {probe.name} is wrong: {problem}.") from None


def _value_name(place: tuple[int | str, ...]) -> str:
    """What an error calls the value at a place: the setting, or the number of the value in a list."""
    if len(place) > 1 and isinstance(place[1], int):
        return f"value {place[1] + 1} of {place[0]}"
    return str(place[0]) if place else "the settings"


def _require_unchanged(path: Path, expected: str) -> None:
    if not path.is_file() or file_hash(path) != expected:
        raise RunError(f"{path} is missing, or not what the run used. Run the probe again.")


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value
