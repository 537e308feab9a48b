"""Confidence sequences for means of bounded values: has enough been asked to decide?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, ndtri, xlog1py, xlogy

from tacit.statistics.inputs import Floats

__all__ = [
    "Stratum",
    "confidence_sequence",
    "decide_by_margin",
    "log_wealth",
    "stratified_interval",
    "stratified_mean",
]

# Most populations are nearly all zeros: a bettor who expects that pays less when it is true.
_PRIOR = (0.25, 0.75)
_PRICES = np.geomspace(1e-5, 10, 121)
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Stratum:
    """What was drawn of one stratum of several populations, at random and independently.

    Attributes:
        totals: The sum of the values drawn, each in [0, 1], for each population.
        n: How many values were drawn.
        weight: Weight of the stratum's mean in the target, Σ weight · mean over the strata.
    """

    totals: Floats
    n: int
    weight: float


def log_wealth(totals: npt.ArrayLike, n: int, means: npt.ArrayLike) -> Floats:
    """log ∫ Π_i (θ/m)^{x_i} ((1 − θ)/(1 − m))^{1 − x_i} dBeta(θ; a, b) for a candidate mean m, with a, b = 1/4, 3/4.

    = log B(a + T, b + n − T) − log B(a, b) − T log m − (n − T) log(1 − m), with T the sum of the n values.
    The product is the wealth of a bettor against m. By Jensen's inequality its factors are at most x θ/m + (1 − x)
    (1 − θ)/(1 − m), whose mean is 1 if the mean of x is m, so it is a non-negative supermartingale that starts at 1:
    Robbins's (1970) mixture for coins, which holds for all values in [0, 1]. It is convex in m, and least at T/n.
    """
    total, mean = np.asarray(totals, dtype=np.float64), np.asarray(means, dtype=np.float64)
    stakes = betaln(_PRIOR[0] + total, _PRIOR[1] + n - total) - betaln(*_PRIOR)
    wealth: Floats = stakes - xlogy(total, mean) - xlog1py(n - total, -mean)
    return wealth


def confidence_sequence(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    """Bounds on Σ_s weight_s · mean_s of each population that hold at all times at once, so you may stop at any time.

    The product of the strata's wealths at their true means is again a supermartingale that starts at 1, if no draw
    depends on another. By Ville's inequality it ever reaches 1/alpha with probability at most alpha. The bounds are the
    extremes of Σ weight · m over {m: Σ_s log wealth_s(m_s) ≤ log 1/alpha}, which is a convex set. They are found by
    duality: high = min_{η>0} Σ_s max_m [weight_s m − η log wealth_s(m)] + η log 1/alpha. Every η gives a valid bound;
    the best of a grid is taken.

    Args:
        strata: The strata; all have the same populations in the same order.
        alpha: Probability that the bounds of a population ever exclude its true value.

    Returns:
        The low and the high bound of each population.
    """
    high = _dual([(s.totals, s.n, s.weight) for s in strata], alpha)
    low = -_dual([(s.totals, s.n, -s.weight) for s in strata], alpha)
    return low, high


def stratified_mean(strata: Sequence[Stratum]) -> Floats:
    """Σ_s weight_s · mean of what was drawn of s, for each population; a stratum without draws counts as zero."""
    total: Floats = np.sum([s.weight * s.totals / max(s.n, 1) for s in strata], axis=0)
    return total


def stratified_interval(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    """An interval of Σ_s weight_s · mean_s of each population, for a number of draws that was fixed in advance.

    Wilson's ends of each mean are combined: the distances to the ends are √Σ (weight_s · distance_s)² (Newcombe 1998,
    method 10). It is narrower than a confidence sequence, and holds for one look only.
    """
    z2, below, above = float(ndtri(1 - alpha / 2)) ** 2, [], []
    for s in strata:
        mean, n = s.totals / max(s.n, 1), max(s.n, 1e-9)
        center, reach = (mean + z2 / (2 * n)) / (1 + z2 / n), np.sqrt(z2 * mean * (1 - mean) / n + z2**2 / (4 * n**2))
        down, up = mean - (center - reach / (1 + z2 / n)), center + reach / (1 + z2 / n) - mean
        below.append(s.weight * (down if s.weight > 0 else up))
        above.append(s.weight * (up if s.weight > 0 else down))
    value = stratified_mean(strata)
    return value - np.sqrt(np.sum(np.square(below), axis=0)), value + np.sqrt(np.sum(np.square(above), axis=0))


def decide_by_margin(low: Floats, high: Floats, margin: float) -> npt.NDArray[np.str_]:
    """Decide each interval: positive if low > margin, negative if high < −margin, neutral if within, else undecided."""
    above, below = low > margin + _ROUNDING, high < -margin - _ROUNDING
    within = (low >= -margin - _ROUNDING) & (high <= margin + _ROUNDING)
    return np.select([above, below, within], ["positive", "negative", "neutral"], default="undecided")


def _dual(strata: Sequence[tuple[Floats, int, float]], alpha: float) -> Floats:
    """The upper bound on Σ weight · mean for (totals, n, weight) of each stratum: the least over all prices η."""
    prices = _PRICES[:, None]
    bounds = -np.log(alpha) * prices + np.zeros(len(strata[0][0]))
    for totals, n, weight in strata:
        mean = _best_mean(totals, n, weight, prices)
        bounds += weight * mean - prices * log_wealth(totals, n, mean)
    most = sum(max(weight, 0.0) for _, _, weight in strata)
    best: Floats = np.minimum(bounds.min(axis=0), most)
    return best


def _best_mean(totals: Floats, n: int, weight: float, price: Floats) -> Floats:
    """The m in [0, 1] with the largest weight m − η log wealth(m): the root of w m² − (w − η n) m − η T = 0."""
    if weight < 0:
        return 1 - _best_mean(n - totals, n, -weight, price)
    gap = weight - price * n
    root: Floats = (gap + np.sqrt(gap**2 + 4 * weight * price * totals)) / (2 * weight)
    return np.clip(root, 0.0, 1.0)
