"""What every reader yields: passages of clean text, and a number from their keys that decides what is held out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from training.cleaning import packed

__all__ = ["SENTENCE_WORDS", "Passage", "sentence_passages", "share"]

SENTENCE_WORDS = 24


@dataclass(frozen=True)
class Passage:
    """A clean stretch of text. Passages with one key are held out together; only what was rated has a label."""

    source: str
    key: str
    text: str
    label: str = ""


def share(key: str) -> float:
    """A number in [0, 1) that depends on the key alone, so that every split is the same everywhere."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") / 2**48


def sentence_passages(name: str, parts: Iterable[str]) -> Iterator[Passage]:
    """Neighbouring sentences of a paragraph together, up to a number of words; each is held out or not by itself."""
    for part in packed(parts, SENTENCE_WORDS):
        yield Passage(name, f"{name}-{part}", part)
