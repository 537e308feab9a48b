"""Texts are read from plain and compressed files alike."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.harvest.texts import read_texts, zstd

RECORDS = "".join(json.dumps({"id": n, "body": f"Text {n}.\nSecond line."}) + "\n" for n in range(3))
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
    # Parallel compressors write several frames; a reader that stops after the first would silently lose the rest.
    ".many.zst": lambda content: zstd.compress(content[:40]) + zstd.compress(content[40:]),
}


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_json_lines_are_read_from_any_compression(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"corpus.jsonl{suffix}"
    path.write_bytes(COMPRESSORS[suffix](RECORDS.encode()))
    assert list(read_texts(path)) == [f"Text {n}.\nSecond line." for n in range(3)]


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_plain_text_is_read_by_paragraphs(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"corpus.txt{suffix}"
    path.write_bytes(COMPRESSORS[suffix](b"\xef\xbb\xbf\n\nOne line\nand its end.\n\n\nAnother paragraph.\n"))
    assert list(read_texts(path)) == ["One line and its end.", "Another paragraph."]


def test_a_paragraph_without_end_is_split_so_that_memory_stays_flat(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("word " * 100_000)
    texts = list(read_texts(path))
    assert len(texts) > 1
    assert max(map(len, texts)) <= 200_000
    assert sum(text.split().count("word") for text in texts) >= 99_990


def test_a_field_named_text_is_preferred_and_records_without_text_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"body": "b", "text": "t"}\n{"score": 3}\n\n{"body": null}\n{"body": "last"}\n')
    assert list(read_texts(path)) == ["t", "last"]


def test_an_empty_file_has_no_texts(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    assert list(read_texts(tmp_path / "empty.txt")) == []


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("c.jsonl", b'{"text": "a"}\n{"text": \n', "record 2: not a line of JSON"),
        ("c.jsonl", b'{"title": "a"}\n', "record 1: none of the fields text, body"),
        ("c.txt.gz", b"not packed at all", "cannot be read to its end"),
        ("c.txt.gz", gzip.compress(b"text " * 5000, mtime=0)[:-20], "cannot be read to its end"),
        ("c.txt.xz", b"not packed at all", "cannot be read to its end"),
        ("c.txt.zst", b"not packed at all", "cannot be read to its end"),
        ("c.txt.zst", zstd.compress(b"text " * 5000)[:-4], "cannot be read to its end"),
    ],
)
def test_a_broken_file_is_rejected(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TacitError, match=problem):
        list(read_texts(tmp_path / name))


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"There is no file .*nowhere\.txt"):
        list(read_texts(tmp_path / "nowhere.txt"))
