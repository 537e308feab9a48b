"""Means over items that belong to two sampled units at once: an adverb and an adjective, a word and a review.

Resampling one unit alone leaves out the variance of the other. Resampling both at once (a crossed or "pigeonhole"
bootstrap) counts the variance of single items three times and covers too often. So both units are resampled, each on
its own, and the variance of single items, which both contain, is taken off once (Cameron, Gelbach and Miller 2011).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Integers, check_confidence, cluster_codes, column
from tacit.statistics.intervals import Interval

__all__ = ["CrossedMean", "crossed_mean"]


@dataclass(frozen=True)
class CrossedMean:
    """A mean with its interval over two crossed units, and the p-value of the hypothesis that it is zero.

    Attributes:
        interval: The mean and its interval; `n` is the number of the rarer unit.
        p: Two-sided; NaN where there are fewer than two of either unit.
        units: How many of the first and of the second unit there are.
    """

    interval: Interval
    p: float
    units: tuple[int, int]


def crossed_mean(
    values: npt.ArrayLike,
    first: Iterable[Hashable],
    second: Iterable[Hashable],
    *,
    null: float = 0.0,
    confidence: float = 0.95,
) -> CrossedMean:
    """The mean of items that cross two sampled units.

    se² = V₁ + V₂ − V₁₂, but no less than V₁ or V₂, with V_g = G/(G − 1) Σ_g (Σ_{i∈g} eᵢ)² / n² the variance of
    resampling the G clusters of one unit, V₁₂ that of resampling single items, and e the residuals. The interval is
    mean ± t se, with t of min(G₁, G₂) − 1 degrees of freedom.

    Args:
        values: One value per item.
        first: The first unit of each item.
        second: The second unit of each item.
        null: The value that the test is about.
        confidence: The confidence of the interval.
    """
    check_confidence(confidence)
    items = column(values)
    codes = [cluster_codes(units, items.size) for units in (first, second)]
    if any(code is None for code in codes):
        raise TacitError("Crossed units need a label for every item.")
    sizes = tuple(int(code.max()) + 1 for code in codes if code is not None)
    mean, fewest = float(items.mean()), min(sizes)
    if fewest < 2:
        return CrossedMean(Interval(mean, np.nan, np.nan, confidence, fewest, "crossed"), np.nan, (sizes[0], sizes[1]))
    error = _standard_error(items - mean, [code for code in codes if code is not None])
    reach = float(stdtrit(fewest - 1, (1 + confidence) / 2)) * error
    interval = Interval(mean, mean - reach, mean + reach, confidence, fewest, "crossed")
    return CrossedMean(interval, _p_value(mean - null, error, fewest), (sizes[0], sizes[1]))


def _standard_error(residuals: Floats, codes: list[Integers]) -> float:
    single = _variance(residuals)
    ones = [_variance(np.bincount(code, weights=residuals).astype(np.float64), residuals.size) for code in codes]
    return float(np.sqrt(max(sum(ones) - single, *ones)))


def _variance(sums: Floats, items: int | None = None) -> float:
    clusters = sums.size
    return float(clusters / (clusters - 1) * np.sum(sums**2) / (items or clusters) ** 2)


def _p_value(distance: float, error: float, units: int) -> float:
    if error == 0:
        # Nothing varies, so the sign of each unit is all the evidence there is.
        return 1.0 if distance == 0 else 2.0 ** (1 - units)
    return float(2 * stdtr(units - 1, -abs(distance) / error))
