"""Intervals over sampled words and over sampled reviews, of which each class is drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from tacit.methods.base import Settings
from tacit.statistics import Interval, bootstrap, share_interval
from tacit.statistics.resampling import draw_counts

__all__ = ["Moments", "mean_interval", "pair_interval", "two_class_intervals"]

Floats = npt.NDArray[np.float64]
_COLUMNS_AT_ONCE = 256

Moments = tuple[Floats, Floats]
"""Means and variances (resamples, columns) of one class."""


def mean_interval(values: npt.ArrayLike, settings: Settings) -> Interval:
    """The mean with its bootstrap interval; of true and false the share with Wilson's."""
    if np.asarray(values).dtype == np.bool_:
        return share_interval(values, confidence=settings.confidence)
    items = np.asarray(values, dtype=np.float64)
    return bootstrap(items, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed)


def two_class_intervals(
    positive: Floats, negative: Floats, statistic: Callable[[Moments, Moments], Floats], settings: Settings
) -> tuple[Floats, Floats]:
    """Low and high of a statistic of two classes' means and variances, column by column (reviews, columns)."""
    columns = range(0, positive.shape[1], _COLUMNS_AT_ONCE)
    found = [_block(positive[:, at], negative[:, at], statistic, settings) for at in map(_slice, columns)]
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def pair_interval(pairs: Floats, settings: Settings) -> tuple[float, float]:
    """Low and high of the mean over pairs (one row a review of one class, one column a review of the other)."""
    rows = draw_counts(pairs.shape[0], settings.resamples, settings.seed)
    columns = np.concatenate(list(draw_counts(pairs.shape[1], settings.resamples, settings.seed + 1)))
    won = np.concatenate([counts @ pairs for counts in rows])
    replicates = np.einsum("rc,rc->r", won, columns) / pairs.size
    low, high = np.quantile(replicates, [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2])
    return float(low), float(high)


def _slice(start: int) -> slice:
    return slice(start, start + _COLUMNS_AT_ONCE)


def _block(
    positive: Floats, negative: Floats, statistic: Callable[[Moments, Moments], Floats], settings: Settings
) -> tuple[Floats, Floats]:
    centre = (positive.mean(axis=0) + negative.mean(axis=0)) / 2
    first, second = (
        _resampled(values - centre, settings.resamples, settings.seed + number)
        for number, values in enumerate((positive, negative))
    )
    centred = ((means + centre, variances) for means, variances in (first, second))
    replicates = statistic(*centred)
    low, high = np.quantile(replicates, [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2], axis=0)
    return low, high


def _resampled(values: Floats, resamples: int, seed: int) -> Moments:
    means, squares = zip(*_draws(values, resamples, seed), strict=True)
    mean, square = np.concatenate(means), np.concatenate(squares)
    return mean, np.maximum(square - mean**2, 0.0)


def _draws(values: Floats, resamples: int, seed: int) -> Iterator[Moments]:
    for counts in draw_counts(len(values), resamples, seed):
        yield counts @ values / len(values), counts @ values**2 / len(values)
