"""Read the texts of a file one at a time: plain text or JSON Lines, uncompressed or compressed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

from tacit.errors import MaterialsError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["read_texts"]

FIELDS = ("text", "body", "selftext", "content")
"""The fields of a JSON record that may hold its text; the first one present is used."""
LONGEST = 100_000
"""Longer paragraphs are split, so that a file without line breaks does not fill the memory."""
# Reddit's dumps use a compression window that must be allowed explicitly.
_REDDIT: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 31}


def read_texts(path: Path) -> Iterator[str]:
    """The texts of a file: one per line if the first line is a JSON object, otherwise one per paragraph."""
    if not path.is_file():
        raise MaterialsError(f"There is no file {path}. Check the names after --corpus.")
    try:
        with _open(path) as file:
            lines = _lines(file)
            first = next((line for line in lines if line.strip()), "")
            read = _record_texts if first.lstrip().startswith("{") else _paragraphs
            yield from read(path, chain([first], lines))
    except (EOFError, OSError, lzma.LZMAError, zstd.ZstdError) as error:
        raise MaterialsError(
            f"{path} cannot be read to its end ({error}). Check that it is complete and has the right suffix."
        ) from None


def _open(path: Path) -> IO[str]:
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


def _paragraphs(_: Path, lines: Iterator[str]) -> Iterator[str]:
    paragraph: list[str] = []
    size = 0
    for line in lines:
        if line.strip() and size < LONGEST:
            paragraph.append(line.strip())
            size += len(line)
            continue
        if paragraph:
            yield " ".join(paragraph)
        paragraph, size = ([line.strip()], len(line)) if line.strip() else ([], 0)
    if paragraph:
        yield " ".join(paragraph)


def _record_texts(path: Path, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise MaterialsError(f"{path}, record {number}: not a line of JSON ({error}).") from None
        fields = record if isinstance(record, dict) else {}
        texts = [fields[name] for name in FIELDS if isinstance(fields.get(name), str)]
        if number == 1 and not texts:
            raise MaterialsError(f"{path}, record 1: none of the fields {', '.join(FIELDS)} holds a text.")
        yield from texts[:1]
