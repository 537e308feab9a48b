"""A model's fingerprint: a hash of everything its answers depend on, so that a changed model never gets old answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from tacit.storage import cache_folder, file_hash, write_atomic

__all__ = ["SCORING_VERSION", "fingerprint", "known_hash"]

# Raise this whenever the same model would give different numbers to the same question.
SCORING_VERSION = 1

_HASHED_SUFFIXES = (".safetensors", ".bin", ".gguf", ".json", ".txt", ".model")


def fingerprint(files: Iterable[Path], *, rehash: bool = False, **settings: object) -> str:
    """Hash a model's files and settings into its fingerprint.

    Args:
        files: The model's files; those that hold neither weights, configuration nor tokenizer are ignored.
        rehash: Read all files again, instead of trusting the hashes of files that have not changed since.
        **settings: Settings that change its numbers, such as the dtype.

    Returns:
        32 hexadecimal digits of a SHA-256.
    """
    known_hashes = {} if rehash else _read_known_hashes()
    known_count = len(known_hashes)
    hashes = {file.name: _hash(file, known_hashes) for file in sorted(files) if file.suffix in _HASHED_SUFFIXES}
    if len(known_hashes) != known_count:
        _write_known_hashes(known_hashes)
    identity = json.dumps({"files": hashes, "scoring": SCORING_VERSION, **settings}, sort_keys=True, default=str)
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def known_hash(file: Path) -> str:
    """The SHA-256 of one file, computed only if the file may have changed since it was last computed."""
    known_hashes = _read_known_hashes()
    known_count = len(known_hashes)
    digest = _hash(file, known_hashes)
    if len(known_hashes) != known_count:
        _write_known_hashes(known_hashes)
    return digest


def _hash(file: Path, known_hashes: dict[str, str]) -> str:
    """The hash of a file, computed only if the file system says that it may have changed.

    Copying with preserved time stamps (cp -p, tar) keeps the modification time, but never the change time.
    """
    stat = file.stat()
    key = f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}|{stat.st_ctime_ns}|{stat.st_dev}|{stat.st_ino}"
    if key not in known_hashes:
        known_hashes[key] = file_hash(file)
    return known_hashes[key]


def _read_known_hashes() -> dict[str, str]:
    try:
        hashes = json.loads(_known_hashes_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # the files are hashed again
    return hashes if isinstance(hashes, dict) else {}


def _write_known_hashes(hashes: dict[str, str]) -> None:
    try:
        write_atomic(_known_hashes_file(), json.dumps(hashes).encode())
    except OSError:
        return  # a read-only cache folder costs time, but never changes a number


def _known_hashes_file() -> Path:
    return cache_folder() / "hashes.json"
