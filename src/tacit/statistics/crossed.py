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
from tacit.statistics.shares import effective_interval, effective_size

__all__ = ["CrossedMean", "crossed_mean", "crossed_share"]


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
    mean, error, units = _mean_and_error(values, first, second)
    fewest = min(units)
    if fewest < 2:
        return CrossedMean(Interval(mean, np.nan, np.nan, confidence, fewest, "crossed"), np.nan, units)
    reach = float(stdtrit(fewest - 1, (1 + confidence) / 2)) * error
    interval = Interval(mean, mean - reach, mean + reach, confidence, fewest, "crossed")
    return CrossedMean(interval, _p_value(mean - null, error, fewest), units)


def crossed_share(
    values: npt.ArrayLike,
    first: Iterable[Hashable],
    second: Iterable[Hashable],
    *,
    null: float = 0.5,
    confidence: float = 0.95,
) -> CrossedMean:
    """The mean of items between 0 and 1 that cross two sampled units, with an interval that stays within 0 and 1.

    The standard error is that of `crossed_mean`, the interval that of `effective_interval` for min(G₁, G₂) units. Items
    that are all 0 or 1 count at most once each. The p-value inverts the same interval.

    Args:
        values: One value between 0 and 1 per item.
        first: The first unit of each item.
        second: The second unit of each item; the items themselves if there is only one unit.
        null: The share that the test is about.
        confidence: The confidence of the interval.
    """
    check_confidence(confidence)
    items = column(values)
    if np.any((items < 0) | (items > 1)):
        raise TacitError("A share is taken of values between 0 and 1; others were given.")
    share, error, units = _mean_and_error(items, first, second)
    fewest = min(units)
    if fewest < 2:
        return CrossedMean(Interval(share, np.nan, np.nan, confidence, fewest, "crossed"), np.nan, units)
    most = float(items.size) if np.isin(items, (0.0, 1.0)).all() else np.inf
    interval = effective_interval(share, error, fewest, confidence, most=most)
    distance = abs(share - null) / np.sqrt(null * (1 - null) / effective_size(share, error, fewest, most))
    return CrossedMean(interval, float(2 * stdtr(fewest - 1, -distance)), units)


def _mean_and_error(
    values: npt.ArrayLike, first: Iterable[Hashable], second: Iterable[Hashable]
) -> tuple[float, float, tuple[int, int]]:
    """The mean, its standard error (0 where there are fewer than two of a unit), and the number of both units."""
    items = column(values)
    codes = [cluster_codes(units, items.size) for units in (first, second)]
    known = [code for code in codes if code is not None]
    if len(known) < 2:
        raise TacitError("Crossed units need a label for every item.")
    units = int(known[0].max()) + 1, int(known[1].max()) + 1
    mean = float(items[0]) if np.ptp(items) == 0 else float(items.mean())
    return mean, _standard_error(items - mean, known) if min(units) > 1 else 0.0, units


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
