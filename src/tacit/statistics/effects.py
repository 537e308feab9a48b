"""How large a difference is, apart from how sure we are of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, column, pair
from tacit.statistics.moments import Moments

__all__ = [
    "PairCounts",
    "cliffs_delta",
    "cohens_d",
    "count_pairs",
    "effect_size",
    "paired_d_z",
    "standardized_difference",
]


@dataclass(frozen=True)
class PairCounts:
    """Of all pairs (one item of a, one of b): in how many a is above b, equal to it, below it."""

    above: int
    ties: int
    below: int


def effect_size(
    a: npt.ArrayLike, b: npt.ArrayLike, kind: Literal["cohens_d", "paired_d_z", "cliffs_delta"] = "cohens_d"
) -> float:
    """One of the effect sizes below, by name."""
    kinds = {"cohens_d": cohens_d, "paired_d_z": paired_d_z, "cliffs_delta": cliffs_delta}
    if kind not in kinds:
        raise TacitError(f"There is no effect size {kind!r}: choose one of {', '.join(kinds)}.")
    return kinds[kind](a, b)


def cohens_d(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Cohen's d of two groups: (mean(a) − mean(b)) / s, s² = ((n_a − 1) s_a² + (n_b − 1) s_b²) / (n_a + n_b − 2).

    NaN where the pooled deviation is zero or unknown.
    """
    first, second = column(a, "first values"), column(b, "second values")
    flat = np.ptp(first) == 0 and np.ptp(second) == 0
    if flat or first.size + second.size == 2:
        return float("nan")
    return float(standardized_difference(Moments.of(first), Moments.of(second)))


def standardized_difference(first: Moments, second: Moments) -> Floats:
    """Cohen's d of two groups from their moments: (m₁ − m₂) / sqrt((n₁ v₁ + n₂ v₂) / (n₁ + n₂ − 2)).

    The variances v are divided by n, so n v is the sum of squares that (n − 1) s² is in `cohens_d`. Zero where the
    means are equal, infinite where they differ and nothing varies.
    """
    gap = first.mean - second.mean
    squares = first.variance * first.n + second.variance * second.n
    spread = np.sqrt(squares / (first.n + second.n - 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / spread)


def paired_d_z(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Cohen's d_z of paired values: mean(a − b) / s(a − b), with n − 1 in s; NaN where s is zero or unknown."""
    first, second = pair(a, b)
    differences = first - second
    if differences.size == 1 or np.ptp(differences) == 0:
        return float("nan")
    return float(differences.mean() / differences.std(ddof=1))


def cliffs_delta(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Cliff's delta: (#{a > b} − #{a < b}) / (n_a n_b); a tie counts for neither side but stays in the denominator."""
    pairs = count_pairs(a, b)
    return (pairs.above - pairs.below) / (pairs.above + pairs.ties + pairs.below)


def count_pairs(a: npt.ArrayLike, b: npt.ArrayLike) -> PairCounts:
    """How many of the n_a n_b pairs are above, tied and below."""
    first, second = column(a, "first values"), np.sort(column(b, "second values"))
    above = int(np.searchsorted(second, first, side="left").sum())
    not_below = int(np.searchsorted(second, first, side="right").sum())
    return PairCounts(above, not_below - above, first.size * second.size - not_below)
