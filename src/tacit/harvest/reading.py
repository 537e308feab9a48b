"""Texts out of files, one at a time: plain text or JSON lines, as they are or compressed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from tacit.errors import TacitError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["read_texts"]

FIELDS = ("text", "body", "selftext", "content")
LONGEST = 100_000
"""A paragraph is cut here, so that a file without line ends does not fill the memory."""
# Reddit's dumps are packed with a window that must be allowed by name.
_REDDIT: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 31}


def read_texts(path: Path) -> Iterator[str]:
    """The texts of a file: one a line where the first line is a JSON object, else one a paragraph."""
    if not path.is_file():
        raise TacitError(f"There is no file {path}.")
    try:
        with _opened(path) as file:
            lines = _lines(file)
            first = next(lines, "")
            while first and not first.strip():
                first = next(lines, "")
            kind = _records if first.lstrip().startswith("{") else _paragraphs
            yield from kind(path, _chained(first, lines))
    except (EOFError, OSError, lzma.LZMAError, zstd.ZstdError) as error:
        raise TacitError(f"{path} cannot be read to its end ({error}): is it whole, and what its name says?") from None


def _opened(path: Path) -> IO[str]:
    options: dict[str, Any] = {"mode": "rt", "encoding": "utf-8-sig", "errors": "replace"}
    match path.suffix:
        case ".gz":
            return gzip.open(path, **options)  # type: ignore[no-any-return]
        case ".bz2":
            return bz2.open(path, **options)  # type: ignore[no-any-return]
        case ".xz":
            return lzma.open(path, **options)  # type: ignore[no-any-return]
        case ".zst":
            return zstd.open(path, options=_REDDIT, **options)  # type: ignore[no-any-return]
    return path.open(encoding="utf-8-sig", errors="replace")


def _lines(file: IO[str]) -> Iterator[str]:
    while line := file.readline(LONGEST):
        yield line


def _chained(first: str, rest: Iterable[str]) -> Iterator[str]:
    yield first
    yield from rest


def _paragraphs(_: Path, lines: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for line in lines:
        if line.strip() and size < LONGEST:
            held.append(line.strip())
            size += len(line)
            continue
        if held:
            yield " ".join(held)
        held, size = ([line.strip()], len(line)) if line.strip() else ([], 0)
    if held:
        yield " ".join(held)


def _records(path: Path, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise TacitError(f"{path}, record {number}: not a line of JSON ({error}).") from None
        found = [record[field] for field in FIELDS if isinstance(record, dict) and isinstance(record.get(field), str)]
        if number == 1 and not found:
            raise TacitError(f"{path}, record 1: none of the fields {', '.join(FIELDS)} holds a text.")
        yield from found[:1]
