"""Rows of the measures table that both sentiment methods report."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.sentiment.materials import POLARITIES
from tacit.statistics import mean_interval

__all__ = ["by_polarity", "strength_rows"]


def by_polarity(words: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each polarity that occurs, with its rows of the words table."""
    for polarity in POLARITIES:
        members = words.filter(pl.col("polarity") == polarity)
        if not members.is_empty():
            yield polarity, members


def strength_rows(words: pl.DataFrame, column: str, settings: Settings) -> Iterator[MeasureRow]:
    """`strength` = |column|, the size of a leaning in either direction: the mean of each polarity, then each word.

    A comparison of two models by `strength` shows whether fine-tuning has strengthened leanings.
    """
    for polarity, members in by_polarity(words):
        group, strength = f"{polarity} words", members[column].abs()
        yield measure_row("strength", group, mean_interval(strength, settings.resampling), neutral=0.0)
        for word, value in zip(members["word"], strength, strict=True):
            yield measure_row("strength", group, value, item=word, neutral=0.0)
