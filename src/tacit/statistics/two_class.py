"""Intervals for two independent groups of items, of which each was sampled on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import ndtri

from tacit.statistics.inputs import Floats
from tacit.statistics.intervals import Interval, percentile_levels
from tacit.statistics.moments import Moments
from tacit.statistics.resampling import Resampling, draw_counts

__all__ = ["auc_interval", "two_class_intervals"]

# 10,000 resamples of this many columns take 20 MB for each moment.
_COLUMNS_AT_ONCE = 256
_GRID = 20_001


def two_class_intervals(
    first: Floats,
    second: Floats,
    statistic: Callable[[Moments, Moments], Floats],
    resampling: Resampling,
) -> tuple[Floats, Floats]:
    """Percentile intervals of a statistic of two groups, column by column.

    Args:
        first: Values of the first group (items, columns).
        second: Values of the second group (items, columns); it may have another number of items.
        statistic: Maps the moments of both groups (resamples, columns) to the statistic (resamples, columns).
        resampling: Resamples, confidence and seed; the second group is drawn with the next seed.

    Returns:
        The low and the high end of the interval of each column.
    """
    starts = range(0, first.shape[1], _COLUMNS_AT_ONCE)
    blocks = [slice(start, start + _COLUMNS_AT_ONCE) for start in starts]
    ends = [_block_intervals(first[:, block], second[:, block], statistic, resampling) for block in blocks]
    return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def auc_interval(share: float, n_first: int, n_second: int, confidence: float = 0.95) -> Interval:
    """Interval of the share θ of pairs in which an item of the first group is above one of the second (the AUC).

    The ends solve (θ̂ − θ)² = z² V(θ) with V(θ) = θ(1 − θ) / (n₁ n₂) · [1 + (n* − 1)((1 − θ)/(2 − θ) + θ/(1 + θ))] and
    n* = (n₁ + n₂)/2 (Newcombe 2006, method 5). As with Wilson's interval, complete separation keeps a width.

    Args:
        share: The observed share, ties counted by half.
        n_first: Number of items in the first group.
        n_second: Number of items in the second group.
        confidence: The confidence of the interval.
    """
    theta = np.linspace(0, 1, _GRID)
    half = (n_first + n_second) / 2 - 1
    factor = 1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    reach = float(ndtri((1 + confidence) / 2)) * np.sqrt(theta * (1 - theta) / (n_first * n_second) * factor)
    inside = theta[np.abs(theta - share) <= reach + 1 / _GRID]
    return Interval(share, float(inside[0]), float(inside[-1]), confidence, n_first + n_second, "wilson")


def _block_intervals(
    first: Floats, second: Floats, statistic: Callable[[Moments, Moments], Floats], resampling: Resampling
) -> tuple[Floats, Floats]:
    # Variances from sums of squares are accurate only near zero, so the columns are centered first.
    center = (first.mean(axis=0) + second.mean(axis=0)) / 2
    moments = [
        _resampled_moments(values, center, resampling.resamples, resampling.seed + number)
        for number, values in enumerate((first, second))
    ]
    levels = percentile_levels(resampling.confidence, min(len(first), len(second)))
    low, high = np.quantile(statistic(moments[0], moments[1]), levels, axis=0)
    return low, high


def _resampled_moments(values: Floats, center: Floats, resamples: int, seed: int) -> Moments:
    means, squares = zip(*_resampled_means(values - center, resamples, seed), strict=True)
    mean, square = np.concatenate(means), np.concatenate(squares)
    return Moments(mean + center, np.maximum(square - mean**2, 0.0), len(values))


def _resampled_means(values: Floats, resamples: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Means of the values and of their squares, for a chunk of resamples at a time."""
    for counts in draw_counts(len(values), resamples, seed):
        yield counts @ values / len(values), counts @ values**2 / len(values)
