"""Confidence sequences for finite populations sampled without replacement: has enough been asked to decide?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.statistics.inputs import Floats

__all__ = ["Stratum", "confidence_sequence", "decide_by_margin", "log_wealth", "stratified_mean"]

# Most populations are nearly all zeros: a bettor who expects that pays less when it is true.
_PRIOR = (0.25, 0.75)
_GRID = 129
_PRICES = np.geomspace(1e-4, 10, 81)
# Few enough populations at once that a table of candidate means stays in the processor's cache.
_POPULATIONS_AT_ONCE = 64
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Stratum:
    """One stratum of several populations that are sampled side by side.

    Attributes:
        draws: Values in [0, 1] (populations, t), in the random order in which they were drawn.
        size: Number of values in the stratum of each population, drawn or not.
        weight: Weight of the stratum's mean in the target, Σ weight · mean over the strata.
    """

    draws: Floats
    size: int
    weight: float


def log_wealth(draws: Floats, size: int, means: Floats) -> Floats:
    """log Π_i [x_i θ_i / m_i + (1 − x_i)(1 − θ_i) / (1 − m_i)] for candidate means m (populations, candidates).

    m_i = (N m − Σ_{j<i} x_j) / (N − i + 1) is the mean of what is left if m is true, so the product is the wealth of a
    bettor against m in a fair game: a non-negative martingale that starts at 1 when x is drawn without replacement
    (Waudby-Smith and Ramdas 2020, "Confidence sequences for sampling without replacement"; 2024, "Estimating means of
    bounded random variables by betting", section 5; the form of the bet is ALPHA's, Stark 2023).
    θ_i = (a + Σ_{j<i} x_j) / (a + b + i − 1) is the bettor's guess from the earlier draws; a, b = 1/4, 3/4.
    The logarithm is convex in m, because −log m_i and −log(1 − m_i) are convex and m_i is linear in m.
    """
    wealth, total = np.zeros_like(means), np.zeros((len(draws), 1))
    for i in range(draws.shape[1]):
        x, left = draws[:, i, None], size - i
        mean_left = np.clip((size * means - total) / left, _ROUNDING / size, 1 - _ROUNDING / size)
        guess = (_PRIOR[0] + total) / (sum(_PRIOR) + i)
        wealth += np.log(x * guess / mean_left + (1 - x) * (1 - guess) / (1 - mean_left))
        total = total + x
    return wealth


def confidence_sequence(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    """Bounds on Σ_s weight_s · mean_s of each population that hold at all times at once, so you may stop at any time.

    The product of the strata's wealths at their true means is again a martingale that starts at 1 when each stratum is
    drawn in its own random order. By Ville's inequality it ever reaches 1/alpha with probability at most alpha. The
    bounds are the extremes of Σ weight · m over {m: Σ_s log wealth_s(m_s) ≤ log 1/alpha}, which is a convex set. They
    are found by duality: high = min_{η>0} Σ_s max_m [weight_s m − η log wealth_s(m)] + η log 1/alpha on a grid, then
    moved outward by one grid cell to cover what lies between its points. A population that is drawn completely gets its
    exact mean.

    Args:
        strata: The strata; all have the same populations in the same order.
        alpha: Probability that the bounds of a population ever exclude its true value.

    Returns:
        The low and the high bound of each population.
    """
    populations = len(strata[0].draws)
    chunks = [slice(start, start + _POPULATIONS_AT_ONCE) for start in range(0, populations, _POPULATIONS_AT_ONCE)]
    ends = [_chunk_bounds([Stratum(s.draws[chunk], s.size, s.weight) for s in strata], alpha) for chunk in chunks]
    return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def stratified_mean(strata: Sequence[Stratum]) -> Floats:
    """Σ_s weight_s · mean of the draws of s, for each population; a stratum without draws counts as zero."""
    means = [s.weight * s.draws.mean(axis=1) if s.draws.shape[1] else np.zeros(len(s.draws)) for s in strata]
    total: Floats = np.sum(means, axis=0)
    return total


def decide_by_margin(low: Floats, high: Floats, margin: float) -> npt.NDArray[np.str_]:
    """Decide each interval: positive if low > margin, negative if high < −margin, neutral if within, else undecided."""
    above, below = low > margin + _ROUNDING, high < -margin - _ROUNDING
    within = (low >= -margin - _ROUNDING) & (high <= margin + _ROUNDING)
    return np.select([above, below, within], ["positive", "negative", "neutral"], default="undecided")


def _chunk_bounds(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    grids = [_grid(stratum) for stratum in strata]
    weighted = list(zip([stratum.weight for stratum in strata], grids, strict=True))
    width = sum(abs(weight) * grid.cell for weight, grid in weighted)
    high = _dual([(weight * grid.means, grid.wealth) for weight, grid in weighted], alpha) + width
    low = -_dual([(-weight * grid.means, grid.wealth) for weight, grid in weighted], alpha) - width
    least, most = _certain_bounds(strata)
    return np.maximum(low, least), np.minimum(high, most)


@dataclass(frozen=True)
class _Grid:
    """Candidate means that the draws leave possible, the log wealth against each, and the width of a cell."""

    means: Floats
    wealth: Floats
    cell: Floats


def _grid(stratum: Stratum) -> _Grid:
    total, left = stratum.draws.sum(axis=1), stratum.size - stratum.draws.shape[1]
    means = (total[:, None] + left * np.linspace(0, 1, _GRID)) / stratum.size
    cell = np.full(len(total), left / stratum.size / (_GRID - 1))
    return _Grid(means, log_wealth(stratum.draws, stratum.size, means), cell)


def _dual(parts: Sequence[tuple[Floats, Floats]], alpha: float) -> Floats:
    """The dual bound from (weighted means, log wealth) of each stratum: the least over all prices η."""
    best = np.full(len(parts[0][0]), np.inf)
    for price in _PRICES:
        bound = sum(np.max(value - price * wealth, axis=1) for value, wealth in parts) - price * np.log(alpha)
        best = np.minimum(best, bound)
    return best


def _certain_bounds(strata: Sequence[Stratum]) -> tuple[Floats, Floats]:
    """The least and the most that the target can be if all values not drawn were 0 or all were 1."""
    lows, highs = [], []
    for stratum in strata:
        total, left = stratum.draws.sum(axis=1), stratum.size - stratum.draws.shape[1]
        if_zeros, if_ones = stratum.weight * total / stratum.size, stratum.weight * (total + left) / stratum.size
        lows.append(np.minimum(if_zeros, if_ones))
        highs.append(np.maximum(if_zeros, if_ones))
    return np.sum(lows, axis=0), np.sum(highs, axis=0)
