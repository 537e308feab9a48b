"""A model's fingerprint: what its answers depend on, so that a changed model never gets another's answers."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from tacit.storage import cache_folder

__all__ = ["SCORING_VERSION", "fingerprint"]

# Raised whenever the same model would give other numbers to the same question.
SCORING_VERSION = 1

_READ = (".safetensors", ".bin", ".gguf", ".json", ".txt", ".model")


def fingerprint(files: list[Path], **settings: object) -> str:
    """SHA-256 over the model's files and the settings that change its numbers, as 32 hexadecimal digits."""
    remembered = _remembered()
    known = len(remembered)
    hashes = {file.name: _file_hash(file, remembered) for file in sorted(files) if file.suffix in _READ}
    if len(remembered) != known:
        _remember(remembered)
    told = json.dumps({"files": hashes, "scoring": SCORING_VERSION, **settings}, sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _file_hash(file: Path, remembered: dict[str, str]) -> str:
    stat = file.stat()
    key = f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
    if key not in remembered:
        with file.open("rb") as opened:
            remembered[key] = hashlib.file_digest(opened, "sha256").hexdigest()
    return remembered[key]


def _remembered() -> dict[str, str]:
    try:
        loaded = json.loads(_notebook().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing remembered only means that the files are hashed again
    return loaded if isinstance(loaded, dict) else {}


def _remember(hashes: dict[str, str]) -> None:
    notebook = _notebook()
    try:
        notebook.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=notebook.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(hashes, file)
        Path(name).replace(notebook)
    except OSError:
        return  # a cache folder that cannot be written costs time, never a number


def _notebook() -> Path:
    return cache_folder() / "hashes.json"
