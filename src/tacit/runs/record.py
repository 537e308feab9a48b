"""What a run records about itself in `run.json`: everything needed to repeat, recompute and compare it."""

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
from tacit.methods.base import PairedMeasure
from tacit.probes import Paper

__all__ = [
    "FORMAT",
    "MATERIALS",
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
MATERIALS = "materials"
"""The folder within a run's that holds the copies of what it was fed."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ProbeRecord(_Part):
    """Which probe was run, with the words that the report needs about it."""

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
    """Which model was asked; `label` is its short name in tables and figures."""

    name: str
    label: str
    family: str
    fingerprint: str
    description: dict[str, Any] = {}


class FileCopy(_Part):
    """The copy of a file that a setting names, and the file's hash."""

    copy_name: str = Field(alias="copy")
    sha256: str

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True, serialize_by_alias=True)

    @field_validator("copy_name")
    @classmethod
    def _stays_inside(cls, name: str) -> str:
        return _require_inside(name)


class RunRecord(_Part):
    """The whole record; `status` is "complete" only when every file of the run is in its place."""

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
    versions: dict[str, str]
    measured_with: str = __version__
    host: dict[str, Any]
    started: str
    seconds: float = 0.0
    asked: int = 0
    cached: int = 0
    warnings: tuple[str, ...] = ()
    comparisons: tuple[PairedMeasure, ...] = ()
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

    def to_json(self) -> str:
        """The record as it stands in the file."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def read_record(folder: Path) -> RunRecord:
    """The record of a run folder."""
    path = folder / RECORD
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        written_in = fields["format"]
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder} is no run: it holds no {RECORD}.") from None
    except (UnicodeDecodeError, ValueError, TypeError, KeyError):
        raise RunError(f"{path} is damaged: it is not the record of a run; delete {folder} and run again.") from None
    if isinstance(written_in, int) and written_in > FORMAT:
        raise RunError(
            f"{folder} was written by a newer Tacit (format {written_in}; this one reads {FORMAT}): upgrade."
        )
    try:
        return RunRecord(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        why = f" ({first['msg'].removeprefix('Value error, ')})" if first["type"] == "value_error" else ""
        raise RunError(f"{path} is damaged at {where!r}{why}; delete {folder} and run again.") from None


def _require_inside(name: str) -> str:
    """A record may come from a stranger: the files that it names lie in the run's folder, whatever the system."""
    parts = PurePosixPath(name).parts
    outside = not parts or PurePosixPath(name).is_absolute() or ".." in parts
    if outside or any(character in name for character in "\\\0") or PureWindowsPath(name).drive:
        raise ValueError(f"{name!r} does not lie in the run's folder")
    return name


def versions() -> dict[str, str]:
    """The versions of everything that a number may depend on."""
    found = {"tacit": __version__, "python": platform.python_version()}
    for package in ("torch", "transformers", "tokenizers", "polars", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def host() -> dict[str, Any]:
    """The machine that asked."""
    return {"name": platform.node(), "system": platform.platform(), "cores": os.cpu_count()}
