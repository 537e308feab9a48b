"""Tokens as bytes have a place in their text, whatever the tokenizer calls them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from tacit.models.endpoints.pieces import byte_name, named_bytes, spans

TEXTS = ["Why wilt thou be offended?", "naïve café 中国 🙂!", " two  spaces ", "", "a\nb\tc"]


@pytest.mark.parametrize("text", TEXTS)
def test_the_places_of_a_byte_level_tokenizer_are_those_of_transformers(
    text: str, tiny_folder: Callable[[str], Path]
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(tiny_folder("gpt2"))
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    contents = [named_bytes(name, byte_level=True) for name in tokenizer.convert_ids_to_tokens(encoded["input_ids"])]
    assert b"".join(contents).decode() == text
    assert spans(contents, text) == [tuple(place) for place in encoded["offset_mapping"]]


def test_sentencepiece_writes_spaces_and_bytes_in_its_own_way() -> None:
    contents = [named_bytes(name, byte_level=False) for name in ("▁It", "▁w", "as", "<0xC3>", "<0xA9>")]
    assert contents == [b" It", b" w", b"as", b"\xc3", b"\xa9"]
    assert spans(contents, "It wasé") == [(0, 2), (2, 4), (4, 6), (6, 7), (6, 7)]
    assert named_bytes("é", byte_level=False) == "é".encode()


def test_tokens_that_are_not_the_text_have_no_place() -> None:
    assert spans([b"it", b" was"], "It was") is None
    assert spans([b"  It"], "It") is None
    assert spans([b"I"], "It") is None


@given(st.binary())
def test_the_name_of_bytes_leads_back_to_them(content: bytes) -> None:
    assert named_bytes(byte_name(content), byte_level=True) == content


@given(st.text(max_size=20), st.lists(st.integers(0, 60), max_size=6))
def test_every_cut_of_a_text_covers_each_character(text: str, cuts: list[int]) -> None:
    encoded = text.encode(errors="replace")
    text = encoded.decode()
    edges = sorted({0, len(encoded), *(cut % (len(encoded) + 1) for cut in cuts)})
    contents = [encoded[a:b] for a, b in pairwise(edges)]
    places = spans(contents, text)
    assert places is not None
    assert {k for start, end in places for k in range(start, end)} == set(range(len(text)))
    assert all(text[start:end].encode().find(part) >= 0 for (start, end), part in zip(places, contents, strict=True))
