"""What both sentiment methods do with the words table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import polars as pl

from tacit.methods.base import Verdict
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POLARITIES, POSITIVE

__all__ = ["UNDECIDED", "by_polarity", "count_leanings", "follows_study", "list_word_verdicts", "name_strongest"]

UNDECIDED = "undecided"
"""The leaning of a word that is neither shown to lean nor shown to stay within the margin."""
_NAMED_WORDS = 5


def by_polarity(words: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each polarity that occurs, with its rows of the words table."""
    for polarity in POLARITIES:
        members = words.filter(pl.col("polarity") == polarity)
        if not members.is_empty():
            yield polarity, members


def count_leanings(words: pl.DataFrame) -> dict[str, int]:
    """How many words are positive, negative, neutral and undecided."""
    return {side: words.filter(pl.col("leaning") == side).height for side in (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED)}


def follows_study(words: pl.DataFrame) -> bool:
    """Whether the leanings are by the study's rule (mode as-published), which is not a test."""
    return "margin" not in words.columns


def list_word_verdicts(
    words: pl.DataFrame, verb: str, family: str, correction: Literal["holm", "bh"]
) -> Iterator[Verdict]:
    """What may be said of each word: that it leans to either side (with this verb), or is within the margin."""
    for word, leaning, error in words.select("word", "leaning", "error").iter_rows():
        for side in (POSITIVE, NEGATIVE):
            yield Verdict(f"{word} {verb} {side}", leaning == side, family, correction, error)
        yield Verdict(f"{word} is within the margin", leaning == NEUTRAL, "words within the margin", correction, error)


def name_strongest(words: pl.DataFrame, score: str) -> list[str]:
    """A sentence for each side that names its strongest words."""
    sentences = []
    for side in (POSITIVE, NEGATIVE):
        members = words.filter(pl.col("leaning") == side).sort(score, "word", descending=[side == POSITIVE, False])
        if members.height:
            sentences.append(f"Most {side}: {', '.join(members['word'].head(_NAMED_WORDS))}.")
    return sentences
