"""Intervals of shares and means. A share of 0 of 40 is not certain, but a bootstrap would give it no width."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tacit.errors import TacitError
from tacit.statistics.inputs import column
from tacit.statistics.intervals import Interval, bootstrap
from tacit.statistics.resampling import Resampling

__all__ = ["mean_interval", "share_interval", "wilson_interval"]


def mean_interval(values: npt.ArrayLike, resampling: Resampling) -> Interval:
    """The mean with its bootstrap interval or, for booleans, the share of true values with Wilson's interval."""
    items = np.asarray(values)
    if items.dtype == np.bool_:
        return share_interval(items, confidence=resampling.confidence)
    return bootstrap(
        items.astype(np.float64),
        resamples=resampling.resamples,
        confidence=resampling.confidence,
        seed=resampling.seed,
    )


def share_interval(values: npt.ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of the share p of ones among n independent zeros and ones.

    (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), with z the normal quantile of (1 + confidence) / 2
    (Wilson 1927). It stays within [0, 1] and keeps its width where a bootstrap has none, at 0 and at 1.
    """
    items = column(values)
    if not np.isin(items, (0.0, 1.0)).all():
        raise TacitError("A share is taken of zeros and ones; other values were given.")
    return wilson_interval(float(items.mean()), len(items), confidence)


def wilson_interval(share: float, n: int, confidence: float = 0.95, *, effective: float | None = None) -> Interval:
    """Wilson's interval of a share that is known as a number.

    Args:
        share: The share.
        n: The number of units.
        confidence: The confidence of the interval.
        effective: How many independent units give as much information, where the units are not independent.
    """
    size, z = n if effective is None else effective, float(ndtri((1 + confidence) / 2))
    center, spread = share + z**2 / (2 * size), z * math.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    low, high = (center - spread) / (1 + z**2 / size), (center + spread) / (1 + z**2 / size)
    # At 0 and 1 the ends are exact, where rounding would leave 1e-17 and call it more than nothing.
    return Interval(share, 0.0 if share == 0 else low, 1.0 if share == 1 else high, confidence, n, "wilson")
