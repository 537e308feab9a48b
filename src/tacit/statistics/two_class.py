"""Bootstrap intervals for two independent groups of items, where each group is resampled on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tacit.statistics.inputs import Floats
from tacit.statistics.moments import Moments
from tacit.statistics.resampling import Resampling, draw_counts

__all__ = ["pair_interval", "two_class_intervals"]

# 10,000 resamples of this many columns take 20 MB for each moment.
_COLUMNS_AT_ONCE = 256


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


def pair_interval(pairs: Floats, resampling: Resampling) -> tuple[float, float]:
    """Percentile interval of the mean over all pairs of an item of one group with an item of the other.

    Args:
        pairs: One row per item of the first group, one column per item of the second.
        resampling: Resamples, confidence and seed; the second group is drawn with the next seed.

    Returns:
        The low and the high end of the interval.
    """
    row_draws = draw_counts(pairs.shape[0], resampling.resamples, resampling.seed)
    column_draws = draw_counts(pairs.shape[1], resampling.resamples, resampling.seed + 1)
    row_sums = np.concatenate([counts @ pairs for counts in row_draws])
    replicates = np.einsum("rc,rc->r", row_sums, np.concatenate(list(column_draws))) / pairs.size
    low, high = np.quantile(replicates, resampling.levels)
    return float(low), float(high)


def _block_intervals(
    first: Floats, second: Floats, statistic: Callable[[Moments, Moments], Floats], resampling: Resampling
) -> tuple[Floats, Floats]:
    # Variances from sums of squares are accurate only near zero, so the columns are centered first.
    center = (first.mean(axis=0) + second.mean(axis=0)) / 2
    moments = [
        _resampled_moments(values, center, resampling.resamples, resampling.seed + number)
        for number, values in enumerate((first, second))
    ]
    low, high = np.quantile(statistic(moments[0], moments[1]), resampling.levels, axis=0)
    return low, high


def _resampled_moments(values: Floats, center: Floats, resamples: int, seed: int) -> Moments:
    means, squares = zip(*_resampled_means(values - center, resamples, seed), strict=True)
    mean, square = np.concatenate(means), np.concatenate(squares)
    return Moments(mean + center, np.maximum(square - mean**2, 0.0), len(values))


def _resampled_means(values: Floats, resamples: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Means of the values and of their squares, for a chunk of resamples at a time."""
    for counts in draw_counts(len(values), resamples, seed):
        yield counts @ values / len(values), counts @ values**2 / len(values)
