"""Whether one top region clearly has the highest C_w, when words and parts are both sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.hierarchy.controls import part_variance
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import HIGHEST, SIGNIFICANT, UNDECIDED, Headline
from tacit.statistics import Interval

__all__ = ["highest_rows"]


@dataclass(frozen=True)
class _Candidate:
    """A top region: its C_w, also in each resample of the words, its variance over parts, and how many it has."""

    name: str
    value: float
    resampled: Floats
    variance: float
    parts: int


@dataclass(frozen=True)
class _Difference:
    """The difference of two C_w with its standard error over words and parts."""

    value: float
    error: float
    parts: int

    @classmethod
    def of(cls, first: _Candidate, second: _Candidate) -> _Difference:
        """The variance over resampled words, plus that over the parts of both regions."""
        over_words = float(np.nanvar(first.resampled - second.resampled, ddof=1))
        error = float(np.sqrt(over_words + first.variance + second.variance))
        return cls(first.value - second.value, error, min(first.parts, second.parts))

    @property
    def p(self) -> float:
        """Two-sided, with t of parts - 1 degrees of freedom; 1 if there are too few parts to tell."""
        return float(2 * stdtr(self.parts - 1, -abs(self.value) / self.error)) if self.error > 0 else 1.0

    def interval(self, confidence: float) -> Interval | None:
        """The value plus and minus t standard errors; None if there are too few parts to tell."""
        if not self.error > 0:
            return None
        reach = float(stdtrit(self.parts - 1, (1 + confidence) / 2)) * self.error
        return Interval(self.value, self.value - reach, self.value + reach, confidence, self.parts, "crossed")


def highest_rows(headline: Headline) -> Iterator[MeasureRow]:
    """The difference between the two highest C_w, and whether the highest is above all others.

    The highest is compared with every other region, and the largest p-value decides: with two-sided tests this names a
    wrong region no more often than stated (Hung and Fithian 2019). Dividing by the number of pairs (`per-pair`) makes
    regions of unequal size incomparable, so these settings get no row.
    """
    if headline.settings.weights == "per-pair":
        return
    candidates = sorted(_candidates(headline), key=lambda candidate: -candidate.value)
    if len(candidates) < 2:
        return
    highest, *others = candidates
    p = max(_Difference.of(highest, other).p for other in others)
    nearest = _Difference.of(highest, others[0])
    tree = headline.tree
    yield measure_row(
        HIGHEST,
        headline.groups[-1],
        nearest.interval(headline.settings.confidence) or nearest.value,
        unit=f"word and {tree.level_of(tree.depth_below_top)}",
        neutral=0.0,
        p=p,
        p_adjusted=p,
        verdict=f"{highest.name} has the highest C_w" if p < SIGNIFICANT else UNDECIDED,
        note=f"{highest.name} above {others[0].name}; p is the largest over all other top regions",
        caution="the two highest were chosen after looking at the values",
    )


def _candidates(headline: Headline) -> Iterator[_Candidate]:
    tree, evaluation, settings = headline.tree, headline.evaluation, headline.settings
    for i, top in enumerate(tree.top.tolist()):
        if not np.isnan(evaluation.c_w[top]):
            yield _Candidate(
                headline.groups[i],
                float(evaluation.c_w[top]),
                headline.bootstrap.c_w[:, i],
                part_variance(tree, evaluation, top, settings),
                len(headline.parts(top)),
            )
