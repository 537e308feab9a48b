"""The record of a run, `run.json`: everything needed to repeat, recompute and compare it."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from tacit._version import __version__
from tacit.errors import RunError
from tacit.methods.base import PairedMeasure, Validity
from tacit.probes import Paper
from tacit.tables import read_text

__all__ = [
    "FORMAT",
    "MATERIALS",
    "RATINGS",
    "RECORD",
    "FileCopy",
    "ModelRecord",
    "ProbeRecord",
    "RunRecord",
    "host",
    "read_record",
    "versions",
]

FORMAT = 2
RECORD = "run.json"
_LARGEST_RECORD = 64 * 1024 * 1024
MATERIALS = "materials"
"""The folder inside a run's that holds copies of its inputs."""
RATINGS = "(ratings)"
"""The name under which a record keeps the hash and the copy of the ratings that the measures rest on."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ProbeRecord(_Part):
    """Which probe was run, with the texts that the report shows about it."""

    name: str
    version: int
    title: str
    method: str
    description: str = ""
    paper: Paper | None = None
    limits: tuple[str, ...] = ()
    given_as: str
    source: str

    @field_validator("source")
    @classmethod
    def _stays_inside(cls, source: str) -> str:
        return _require_inside(source)


class ModelRecord(_Part):
    """Which model was asked; `label` is its short name in tables and figures, `description` what it says of itself."""

    name: str
    label: str
    family: str
    fingerprint: str
    description: dict[str, Any] = {}


class FileCopy(_Part):
    """A file that a setting names: the name of its copy in the run's folder, and its hash."""

    copy_name: str = Field(alias="copy")
    sha256: str

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True, serialize_by_alias=True)

    @field_validator("copy_name")
    @classmethod
    def _stays_inside(cls, name: str) -> str:
        return _require_inside(name)


class RunRecord(_Part):
    """The whole record; `status` is "complete" only when every file of the run is in its place.

    Attributes:
        settings: All settings of the method.
        changed_settings: Those that the user named.
        materials: The SHA-256 of each material file, by its name in the probe's YAML, and of the ratings.
        copies: The copy of each of them in the folder `materials`.
        ratings_read: When newer ratings were read with `tacit measure --ratings current`; empty if they are the run's.
        setting_files: The files that settings name, by the setting.
        versions: Of Python and of each package that a number may depend on.
        measured_with: The version of Tacit that computed the measures.
        asked: How many questions were asked.
        cached: How many of them the cache or an equal question had answered.
        comparisons: The measures that `tacit compare` pairs between models.
        validity: Whether the run can be interpreted.
        headline: One sentence that answers the probe's title.
        sentences: The result in a few more plain sentences.
        files: The SHA-256 of each file that the run wrote.
    """

    format: int = FORMAT
    status: Literal["asking", "complete"]
    probe: ProbeRecord
    model: ModelRecord
    mode: str
    seed: int
    settings: dict[str, Any]
    changed_settings: dict[str, Any]
    materials: dict[str, str]
    copies: dict[str, str]
    setting_files: dict[str, FileCopy] = {}
    ratings_read: str = ""
    versions: dict[str, str]
    measured_with: str = __version__
    host: dict[str, Any]
    started: str
    seconds: float = 0.0
    asked: int = 0
    cached: int = 0
    warnings: tuple[str, ...] = ()
    comparisons: tuple[PairedMeasure, ...] = ()
    validity: Validity = Validity()
    headline: str = ""
    sentences: tuple[str, ...] = ()
    files: dict[str, str] = {}

    @model_validator(mode="before")
    @classmethod
    def _from_format_1(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Format 1 kept the files that settings name among the materials, as `--set NAME`."""
        copies, hashes = fields.get("copies"), fields.get("materials")
        if fields.get("format") != 1 or not isinstance(copies, dict) or not isinstance(hashes, dict):
            return fields
        mark = "--set "
        files = {name.removeprefix(mark): copies[name] for name in copies if name.startswith(mark)}
        return {
            **fields,
            "copies": {name: copy for name, copy in copies.items() if not name.startswith(mark)},
            "materials": {name: sha256 for name, sha256 in hashes.items() if not name.startswith(mark)},
            "setting_files": {n: {"copy": c, "sha256": hashes.get(mark + n, "")} for n, c in files.items()},
        }

    @field_validator("files")
    @classmethod
    def _bare_names(cls, files: dict[str, str]) -> dict[str, str]:
        for name in files:
            if name.startswith(".") or len(PurePosixPath(_require_inside(name)).parts) != 1:
                raise ValueError(f"{name!r} is not the bare name of a file")
        return files

    @field_validator("copies")
    @classmethod
    def _copies_stay_inside(cls, copies: dict[str, str]) -> dict[str, str]:
        for copy in copies.values():
            _require_inside(copy)
        return copies

    def plain_settings(self) -> dict[str, Any]:
        """The settings that name no file; files are compared by their contents, wherever they were."""
        return {name: value for name, value in self.settings.items() if name not in self.setting_files}

    def setting_hashes(self) -> dict[str, str]:
        """The SHA-256 of each file that a setting names, by the setting."""
        return {name: file.sha256 for name, file in self.setting_files.items()}

    def to_json(self) -> str:
        """The record as the file holds it."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def read_record(folder: Path) -> RunRecord:
    """Read the record of a run folder; a damaged one is an error, never a guess."""
    path = folder / RECORD
    if path.is_symlink() or not path.is_file():
        raise RunError(f"{folder} is not a run: it has no {RECORD}. Name the folder of a run.")
    try:
        fields = json.loads(read_text(path, _LARGEST_RECORD))
        json.dumps(fields, ensure_ascii=False).encode()  # half of a character could be read, but not written again
        written_in = fields["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise RunError(f"{path} is damaged: it is not the record of a run. Delete {folder} and run again.") from None
    if isinstance(written_in, int) and written_in > FORMAT:
        raise RunError(
            f"{folder} was written by a newer Tacit (format {written_in}; this one reads {FORMAT}). Upgrade Tacit."
        )
    try:
        return RunRecord(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        why = f" ({first['msg'].removeprefix('Value error, ')})" if first["type"] == "value_error" else ""
        raise RunError(f"{path} is damaged at {where!r}{why}. Delete {folder} and run again.") from None


def _require_inside(name: str) -> str:
    """Reject a name outside the run's folder, on any system: a record may come from a stranger."""
    parts = PurePosixPath(name).parts
    outside = not parts or PurePosixPath(name).is_absolute() or ".." in parts
    if outside or any(character in name for character in "\\\0") or PureWindowsPath(name).drive:
        raise ValueError(f"{name!r} is outside the run's folder")
    return name


def versions() -> dict[str, str]:
    """The version of each package that a number may depend on."""
    installed = {"tacit": __version__, "python": platform.python_version()}
    for package in ("torch", "transformers", "tokenizers", "polars", "numpy", "scipy"):
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            installed[package] = "not installed"
    return installed


def host() -> dict[str, Any]:
    """The machine that this process runs on."""
    return {"name": platform.node(), "system": platform.platform(), "cores": os.cpu_count()}
