"""What both sentiment methods do with the words table."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POLARITIES, POSITIVE

__all__ = ["UNDECIDED", "by_polarity", "count_leanings"]

UNDECIDED = "undecided"
"""The leaning of a word that is neither shown to lean nor shown to stay within the margin."""


def by_polarity(words: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each polarity that occurs, with its rows of the words table."""
    for polarity in POLARITIES:
        members = words.filter(pl.col("polarity") == polarity)
        if not members.is_empty():
            yield polarity, members


def count_leanings(words: pl.DataFrame) -> dict[str, int]:
    """How many words are positive, negative, neutral and undecided."""
    return {side: words.filter(pl.col("leaning") == side).height for side in (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED)}
