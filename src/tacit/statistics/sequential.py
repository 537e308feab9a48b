"""Confidence sequences for finite populations drawn without replacement: when has enough been asked to decide?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Stratum", "bounds", "decide", "estimate", "log_wealth"]

Floats = npt.NDArray[np.float64]

# Most words turn few labels: a bettor who expects few pays less for finding none.
_PRIOR = (0.25, 0.75)
_GRID = 129
_PRICES = np.geomspace(1e-4, 10, 81)
# Few enough words at once that a table of candidates stays in the processor's cache.
_WORDS_AT_ONCE = 64
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Stratum:
    """A part of the population: `draws` (words, t) in [0, 1] in random order, out of `size` values a word.

    `weight` is what the mean of the part counts in the target, Σ weight · mean over the strata.
    """

    draws: Floats
    size: int
    weight: float


def log_wealth(draws: Floats, size: int, means: Floats) -> Floats:
    """log Π_i [x_i θ_i / m_i + (1 − x_i)(1 − θ_i) / (1 − m_i)] for candidate means m (words, g) of each population.

    m_i = (N m − Σ_{j<i} x_j) / (N − i + 1) is the mean of what is left if m is true, so the product is the wealth of a
    bettor against m in a fair game, a non-negative martingale from 1 when x is drawn without replacement
    (Waudby-Smith and Ramdas 2020, "Confidence sequences for sampling without replacement"; 2024, "Estimating means of
    bounded random variables by betting", section 5; the form of the bet is ALPHA's, Stark 2023).
    θ_i = (a + Σ_{j<i} x_j) / (a + b + i − 1) is the bettor's guess from the draws before; a, b = 1/4, 3/4.
    The logarithm is convex in m, because −log m_i and −log(1 − m_i) are and m_i is linear in m.
    """
    wealth, total = np.zeros_like(means), np.zeros((len(draws), 1))
    for i in range(draws.shape[1]):
        x, left = draws[:, i, None], size - i
        now = np.clip((size * means - total) / left, _ROUNDING / size, 1 - _ROUNDING / size)
        guess = (_PRIOR[0] + total) / (sum(_PRIOR) + i)
        wealth += np.log(x * guess / now + (1 - x) * (1 - guess) / (1 - now))
        total = total + x
    return wealth


def bounds(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    """Low and high for Σ_s weight_s · mean_s of each word; P(outside at any time) ≤ alpha, so one may stop at will.

    The product of the strata's wealths at their true means is again a martingale from 1 when each stratum is drawn in
    an order of its own, so by Ville's inequality it ever reaches 1/alpha with probability alpha at most. The bounds are
    the extremes of Σ weight · m over {m: Σ_s log wealth_s(m_s) ≤ log 1/alpha}, a convex set, found by duality:
    high = min_{η>0} Σ_s max_m [weight_s m − η log wealth_s(m)] + η log 1/alpha on a grid, then moved outward by one
    cell of the grid for what lies between its points. A population that is drawn to its end gives its exact mean.
    """
    words = len(strata[0].draws)
    chunks = [slice(start, start + _WORDS_AT_ONCE) for start in range(0, words, _WORDS_AT_ONCE)]
    found = [_bounds([Stratum(s.draws[chunk], s.size, s.weight) for s in strata], alpha) for chunk in chunks]
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def estimate(strata: Sequence[Stratum]) -> Floats:
    """Σ_s weight_s · mean of the draws of s; a stratum of which nothing was drawn counts as zero."""
    means = [s.weight * s.draws.mean(axis=1) if s.draws.shape[1] else np.zeros(len(s.draws)) for s in strata]
    total: Floats = np.sum(means, axis=0)
    return total


def decide(low: Floats, high: Floats, margin: float) -> npt.NDArray[np.str_]:
    """Positive where low > margin, negative where high < −margin, neutral where both are within it, else undecided."""
    up, down = low > margin + _ROUNDING, high < -margin - _ROUNDING
    within = (low >= -margin - _ROUNDING) & (high <= margin + _ROUNDING)
    return np.select([up, down, within], ["positive", "negative", "neutral"], default="undecided")


def _bounds(strata: Sequence[Stratum], alpha: float) -> tuple[Floats, Floats]:
    parts = [_on_grid(stratum) for stratum in strata]
    width = sum(abs(stratum.weight) * cell for stratum, (_, _, cell) in zip(strata, parts, strict=True))
    high = _dual([(stratum.weight * m, f) for stratum, (m, f, _) in zip(strata, parts, strict=True)], alpha) + width
    low = -_dual([(-stratum.weight * m, f) for stratum, (m, f, _) in zip(strata, parts, strict=True)], alpha) - width
    least, most = _certain(strata)
    return np.maximum(low, least), np.minimum(high, most)


def _on_grid(stratum: Stratum) -> tuple[Floats, Floats, Floats]:
    """The means that the draws leave possible, the log wealth against each, and the width of a cell."""
    total, left = stratum.draws.sum(axis=1), stratum.size - stratum.draws.shape[1]
    means = (total[:, None] + left * np.linspace(0, 1, _GRID)) / stratum.size
    return means, log_wealth(stratum.draws, stratum.size, means), np.full(len(total), left / stratum.size / (_GRID - 1))


def _dual(parts: Sequence[tuple[Floats, Floats]], alpha: float) -> Floats:
    best = np.full(len(parts[0][0]), np.inf)
    for price in _PRICES:
        bound = sum(np.max(value - price * wealth, axis=1) for value, wealth in parts) - price * np.log(alpha)
        best = np.minimum(best, bound)
    return best


def _certain(strata: Sequence[Stratum]) -> tuple[Floats, Floats]:
    """What the target is at least and at most, whatever was not drawn."""
    ends = []
    for stratum in strata:
        total, left = stratum.draws.sum(axis=1), stratum.size - stratum.draws.shape[1]
        one, other = stratum.weight * total / stratum.size, stratum.weight * (total + left) / stratum.size
        ends.append((np.minimum(one, other), np.maximum(one, other)))
    return np.sum([low for low, _ in ends], axis=0), np.sum([high for _, high in ends], axis=0)
