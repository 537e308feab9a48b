"""How far words lean whichever way, by which tuning can be seen to strengthen leanings."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.sentiment.materials import POLARITIES
from tacit.statistics.two_class import mean_interval

__all__ = ["strength_rows"]


def strength_rows(words: pl.DataFrame, leaning: str, settings: Settings) -> Iterator[MeasureRow]:
    """|leaning| of every word, after its mean over the words of the same polarity."""
    for of in POLARITIES:
        members = words.filter(pl.col("polarity") == of)
        if members.is_empty():
            continue
        strength = members[leaning].abs()
        yield measure_row("strength", f"{of} words", mean_interval(strength, settings), neutral=0.0)
        for word, value in zip(members["word"], strength, strict=True):
            yield measure_row("strength", f"{of} words", value, item=word, neutral=0.0)
