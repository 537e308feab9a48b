"""GGUF files from a stranger: headers damaged byte by byte, and metadata with other values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.models.gguf_header import read_header
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage
from tests.models.gguf_file import write_gguf

HEADER_SHARE = 0.15
"""About how much of the small file the header takes; the rest is weights."""


@pytest.fixture
def whole(playground: Path, tiny_folder: Callable[[str], Path]) -> bytes:
    return write_gguf(tiny_folder("llama"), playground / "whole.gguf").read_bytes()


@given(st.lists(byte_damage(HEADER_SHARE), min_size=1, max_size=3))
@fuzzed(quick=60, share=0.06)
def test_a_damaged_header_is_read_or_refused(whole: bytes, damages: list[Callable[[bytes], bytes]]) -> None:
    path = Path("spoiled.gguf")
    content = whole
    for damage in damages:
        content = damage(content)
    path.write_bytes(content)
    assert_taken_or_refused(lambda: read_header(path))


@given(byte_damage(HEADER_SHARE))
@fuzzed(quick=5, share=0.02)
def test_a_damaged_file_is_loaded_or_refused(whole: bytes, damage: Callable[[bytes], bytes]) -> None:
    path = Path("spoiled.gguf")
    path.write_bytes(damage(whole))
    assert_taken_or_refused(lambda: tacit.load(str(path)).fill("It was [MASK]", top=2))


NUMBERS = ("block_count", "embedding_length", "head_count", "head_count_kv", "context_length", "vocab_size", "length")


@given(st.sampled_from(NUMBERS), st.integers(0, 2**32 - 1))
@fuzzed(quick=6, share=0.01)
def test_any_number_in_the_metadata_is_taken_or_refused(whole: bytes, name: str, value: int) -> None:
    place = whole.find(f"llama.{name}".encode())
    place = whole.find(name.encode()) if place < 0 else place
    start = place + len(f"llama.{name}") + 4  # the key, then its type
    path = Path("spoiled.gguf")
    path.write_bytes(whole[:start] + value.to_bytes(4, "little") + whole[start + 4 :])
    assert_taken_or_refused(lambda: tacit.load(str(path)).fill("It was [MASK]", top=2), (name, value))
