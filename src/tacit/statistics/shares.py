"""Intervals of shares and means. A share of 0 of 40 is not certain, but a bootstrap would give it no width."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, column
from tacit.statistics.intervals import Interval, bootstrap
from tacit.statistics.resampling import Resampling

__all__ = [
    "effective_interval",
    "effective_size",
    "mean_interval",
    "mean_share",
    "net_share_interval",
    "share_interval",
    "wilson_interval",
]


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


def effective_interval(
    share: float, error: float, units: int, confidence: float = 0.95, *, most: float = math.inf
) -> Interval:
    """Wilson's interval of a share whose standard error is known, for as many independent units as carry that error.

    The number is p (1 − p) / se², at most `most`, and the number of units where nothing varies (se = 0), for then
    nothing shows how much the items depend on their units. Student's t of n − 1 degrees of freedom replaces the normal
    quantile.

    Args:
        share: The share, or another mean of values between 0 and 1.
        error: Its standard error.
        units: The number n of sampled units; two or more.
        confidence: The confidence of the interval.
        most: The largest number of independent units that there can be.
    """
    level = (1 + confidence) / 2
    widened = effective_size(share, error, units, most) * float(ndtri(level) / stdtrit(units - 1, level)) ** 2
    return wilson_interval(share, units, confidence, effective=widened)


def effective_size(share: float, error: float, units: int, most: float = math.inf) -> float:
    """How many independent units carry the information of a share with this standard error."""
    return min(share * (1 - share) / error**2 if error else float(units), most)


def mean_share(shares: Sequence[Interval], weights: Sequence[float]) -> Interval:
    """The weighted mean of shares of independent groups, its interval from theirs.

    The distances to the ends are √Σ (w_g (p_g − low_g))² and √Σ (w_g (high_g − p_g))² (Newcombe 1998, method 10). One
    interval of all items would be too wide, because it takes the groups for a random mixture.
    """
    parts = list(zip(shares, weights, strict=True))
    value = sum(weight * share.value for share, weight in parts)
    down = math.sqrt(sum((weight * (share.value - share.low)) ** 2 for share, weight in parts))
    up = math.sqrt(sum((weight * (share.high - share.value)) ** 2 for share, weight in parts))
    n = sum(share.n for share in shares)
    return Interval(value, value - down, value + up, shares[0].confidence, n, "wilson")


def net_share_interval(gained: npt.ArrayLike, lost: npt.ArrayLike, confidence: float = 0.95) -> Interval:
    """The interval of mean(gained − lost), for items that gain or lose something between 0 and 1, but never both.

    Wilson's ends l, u of both means p and q are combined as in Newcombe's method 10 for paired shares (1998): the
    distance down is √(a² + b² − 2 r a b) with a = p − l_p, b = u_q − q and r = −p q / (s_p s_q), the correlation of
    what is never both; the distance up likewise. Gains of less than 1 vary less than shares, so Wilson's interval is
    taken for n p (1 − p) / s_p² items. Where nothing was gained or lost, it keeps its width.
    """
    up, down = column(gained), column(lost)
    (first, spread), (second, other) = (_wilson_of_parts(values, confidence) for values in (up, down))
    r = max(-1.0, -first.value * second.value / (spread * other)) if spread * other > 0 else 0.0
    below = _combined(first.value - first.low, second.high - second.value, r)
    above = _combined(first.high - first.value, second.value - second.low, r)
    net = first.value - second.value
    return Interval(net, max(-1.0, net - below), min(1.0, net + above), confidence, len(up), "wilson")


def _wilson_of_parts(values: Floats, confidence: float) -> tuple[Interval, float]:
    """Wilson's interval of the mean of values between 0 and 1, and their standard deviation."""
    mean, spread = float(values.mean()), float(values.std())
    size = len(values) * mean * (1 - mean) / spread**2 if spread > 0 else len(values)
    return wilson_interval(mean, len(values), confidence, effective=size), spread


def _combined(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max(0.0, a * a + b * b - 2 * correlation * a * b))
