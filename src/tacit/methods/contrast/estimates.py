"""The mean of a group of items over the unit that was sampled: words and what they are crossed with, or sentences.

Sentences of the same word are not independent evidence about words, so categories and the overall values are about
words. Fewer than four words are not a sample of words; there sentences are the unit, and the row says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import FEW_UNITS, plural
from tacit.methods.contrast.formulas import Floats, coin_p
from tacit.methods.contrast.materials import FEWEST_UNITS
from tacit.statistics import CrossedMean, Interval, crossed_mean, crossed_share, share_interval

__all__ = ["SENTENCE", "Columns", "Estimate", "Units", "estimate"]

SENTENCE = "sentence"
# Fewer units than this on the rarer side of a share, or in which context changes the choice, and the interval is rough
# (docs/statistics.md).
_FEWEST_ON_A_SIDE, _FEWEST_CHANGED = 5, 2
_SKEWED = "a few large ranks carry it, so the interval is rough"
_FEW_CHANGES = "few sentences change, so the interval is rough"
_NO_SPREAD = "the same in every sentence"


@dataclass(frozen=True)
class Columns:
    """Columns of a table as arrays: selecting the items of hundreds of groups is faster here than in a table."""

    arrays: Mapping[str, npt.NDArray[Any]]

    @classmethod
    def of(cls, table: pl.DataFrame) -> Columns:
        """All columns of a table, with the units as numbers beside their names."""
        codes = {f"{name} code": table[name].rank("dense").to_numpy() for name in ("word", "frame")}
        return cls({name: table[name].to_numpy() for name in table.columns} | codes)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.arrays[name]

    def where(self, kept: npt.NDArray[np.bool_]) -> Columns:
        """The rows to keep."""
        return Columns({name: array[kept] for name, array in self.arrays.items()})


@dataclass(frozen=True)
class Units:
    """What the two sampled units are called: "adverb", and the "adjective" that it is crossed with ("" if nothing)."""

    noun: str
    frame: str


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval, the p-value of its neutral point, and what was resampled.

    Attributes:
        interval: The interval, or the bare value where it has none, or None where the mean is undefined.
        p: The two-sided p-value; None where nothing can be tested.
        unit: What was resampled.
        caution: Why the interval must be read with care.
    """

    interval: Interval | float | None
    p: float | None
    unit: str
    caution: str | None


def estimate(items: Columns, measure: str, units: Units, confidence: float, *, gain: bool = False) -> Estimate:
    """The mean of one measure over items, each with its `word` and `frame`.

    Args:
        items: The items of a group; those whose measure is not a number are left out.
        measure: The column: acc, MRR or diff.
        units: What the units are called.
        confidence: The confidence of the interval.
        gain: Whether the column holds differences between two contexts.
    """
    defined = ~np.isnan(items[measure])
    values, words, frames = (items[name][defined] for name in (measure, "word code", "frame code"))
    if not values.size:
        return Estimate(None, None, SENTENCE, None)
    count = np.unique(words).size
    if count < FEWEST_UNITS:
        stated = 0 if np.ptp(items["word code"]) == 0 else count
        return _over_sentences(values, measure, units, confidence, words=stated, gain=gain)
    if not units.frame or np.unique(frames).size < FEWEST_UNITS:
        frames = np.arange(values.size)
    compute = crossed_mean if measure == "diff" or gain else crossed_share
    found = compute(values, words.tolist(), frames.tolist(), confidence=confidence)
    unit = units.noun if found.units[0] <= found.units[1] else units.frame or SENTENCE
    return _estimate(found, values, unit, [_few(found.interval.n, unit), _shape(found.interval, values, measure, gain)])


def _over_sentences(
    values: Floats, measure: str, units: Units, confidence: float, *, words: int, gain: bool
) -> Estimate:
    """The mean of independent sentences; `words` is their number of words where it must be stated."""
    numbers = range(len(values))
    if measure == "acc" and not gain and np.isin(values, (0.0, 1.0)).all():
        interval = share_interval(values, confidence=confidence)
        found = CrossedMean(interval, coin_p(int(values.sum()), len(values)), (interval.n, interval.n))
        shape = ""
    else:
        compute = crossed_mean if measure == "diff" or gain else crossed_share
        found = compute(values, numbers, numbers, confidence=confidence)
        shape = _shape(found.interval, values, measure, gain)
    about = f"for these {words} {plural(units.noun)} only" if words else ""
    return _estimate(found, values, SENTENCE, [about, _few(found.interval.n, SENTENCE), shape])


def _estimate(found: CrossedMean, values: Floats, unit: str, cautions: list[str]) -> Estimate:
    interval = found.interval
    if math.isnan(interval.low):
        return Estimate(interval.value, None, unit, None)
    if interval.low == interval.high and np.ptp(values) == 0:
        # An interval of no width would look like certainty.
        return Estimate(interval.value, found.p, unit, _NO_SPREAD)
    return Estimate(interval, found.p, unit, "; ".join(caution for caution in cautions if caution) or None)


def _few(n: int, unit: str) -> str:
    return f"only {n} {plural(unit)}" if n < FEW_UNITS else ""


def _shape(interval: Interval, values: Floats, measure: str, gain: bool) -> str:
    """What makes the interval of this measure rough, although there are enough units."""
    if measure == "diff":
        return _SKEWED
    if gain:
        changed = float(np.mean(values != 0))
        return _FEW_CHANGES if measure == "acc" and interval.n * changed < _FEWEST_CHANGED else ""
    if interval.n * min(interval.value, 1 - interval.value) >= _FEWEST_ON_A_SIDE:
        return ""
    return f"close to {0 if interval.value < 0.5 else 1}, so the interval is rough"
