"""Correlation of two measurements of the same items, with a bootstrap interval and a permutation p-value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import permutations
from math import factorial
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Method, check_confidence, check_resampling, pair
from tacit.statistics.intervals import Interval, interval_from
from tacit.statistics.permutation import p_value
from tacit.statistics.resampling import Units, chunk_rows, draw_counts, leave_one_out_counts

__all__ = ["Correlation", "correlation", "spearman_interval"]

Kind = Literal["spearman", "pearson"]


@dataclass(frozen=True)
class Correlation(Interval):
    """A correlation with its interval, and its two-sided p-value under shuffled pairs."""

    p: float = float("nan")
    kind: Kind = "spearman"


def correlation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    kind: Kind = "spearman",
    *,
    method: Method = "percentile",
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Correlation:
    """Pearson's r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²), or Spearman's, the same of (mean) ranks.

    The interval resamples pairs (and ranks each resample again); resamples in which a side is constant have no
    correlation and are left out. The p-value counts |r*| ≥ |r| over all n! pairings when they are no more than
    `resamples`, otherwise over random ones. A constant side gives NaN; fewer than three pairs give no interval.
    """
    check_resampling(method, resamples, confidence, seed)
    left, right = pair(x, y)
    if kind not in ("spearman", "pearson"):
        raise TacitError(f"There is no correlation {kind!r}: choose 'spearman' or 'pearson'.")
    of_weights = _correlation_of_weights(left, right, kind)
    value = float(of_weights(np.ones((1, left.size)))[0])
    interval = Interval(value, np.nan, np.nan, confidence, left.size, method)
    if left.size >= 3:
        replicates = np.concatenate([of_weights(counts) for counts in draw_counts(left.size, resamples, seed)])
        left_out = leave_one_out_counts(left.size) if method == "bca" else iter(())
        jackknife = [of_weights(counts) for counts in left_out]
        interval = interval_from(
            value, replicates, left.size, confidence, np.concatenate(jackknife) if jackknife else None
        )
    p = float("nan") if np.isnan(value) else _shuffled_p(left, right, kind, resamples, seed)
    return Correlation(**asdict(interval), p=p, kind=kind)


def spearman_interval(rho: float, n: int, confidence: float = 0.95) -> Interval:
    """Spearman's rho of n pairs with the interval tanh(artanh ρ ± z √((1 + ρ²/2) / (n − 3))) (Bonett and Wright 2000).

    With some dozen pairs it covers as often as it says, where a percentile bootstrap covers too often. A perfect
    correlation is taken half a swap of neighbors off, so that it keeps a width. Fewer than four pairs give no interval.
    """
    check_confidence(confidence)
    if n < 4:
        return Interval(rho, np.nan, np.nan, confidence, n, "fisher")
    half_a_swap = 6 / (n * (n**2 - 1))
    inner = float(np.clip(rho, -1 + half_a_swap, 1 - half_a_swap))
    reach = float(ndtri((1 + confidence) / 2)) * np.sqrt((1 + inner**2 / 2) / (n - 3))
    low, high = (float(np.tanh(np.arctanh(inner) + side * reach)) for side in (-1, 1))
    return Interval(rho, min(low, rho), max(high, rho), confidence, n, "fisher")


def _correlation_of_weights(x: Floats, y: Floats, kind: Kind) -> Callable[[Floats], Floats]:
    """A function from how often each pair counts (rows, n) to the correlation of each row."""
    if kind == "spearman":
        rank_x, rank_y = _Ranking(x), _Ranking(y)
        return lambda weights: _weighted_pearson(weights, rank_x(weights), rank_y(weights))
    centred_x, centred_y = (x - x.mean())[None], (y - y.mean())[None]
    return lambda weights: _weighted_pearson(weights, centred_x, centred_y)


class _Ranking:
    """Ranks of items that count several times, ties sharing the mean rank, without sorting again."""

    def __init__(self, values: Floats) -> None:
        _, self.codes = np.unique(values, return_inverse=True)
        self.units = Units.of(self.codes, values.size)

    def __call__(self, weights: Floats) -> Floats:
        counts = self.units.sums(weights.T).T
        ranks: Floats = np.cumsum(counts, axis=1) - (counts - 1) / 2
        return ranks[:, self.codes]


def _weighted_pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    total = weights.sum(axis=1, keepdims=True)
    away_x = x - (weights * x).sum(axis=1, keepdims=True) / total
    away_y = y - (weights * y).sum(axis=1, keepdims=True) / total
    xx, yy, xy = ((weights * a * b).sum(axis=1) for a, b in ((away_x, away_x), (away_y, away_y), (away_x, away_y)))
    # The mean of equal values is rounded, so a constant side shows as a spread that is tiny rather than zero.
    constant = (xx <= total[:, 0] * (1e-12 * np.abs(x).max()) ** 2) | (
        yy <= total[:, 0] * (1e-12 * np.abs(y).max()) ** 2
    )
    r: Floats = xy / np.sqrt(np.where(constant, np.nan, xx * yy))
    return np.clip(r, -1.0, 1.0)


def _shuffled_p(x: Floats, y: Floats, kind: Kind, resamples: int, seed: int) -> float:
    once = np.ones((1, x.size))
    a, b = (_Ranking(x)(once)[0], _Ranking(y)(once)[0]) if kind == "spearman" else (x, y)
    a, b = a - a.mean(), b - b.mean()
    exact = a.size < 20 and factorial(a.size) <= resamples
    shuffled = _all_orders(b) if exact else _random_orders(b, resamples, seed)
    products = np.concatenate([order @ a for order in shuffled])[:, None]
    scale = np.array([np.linalg.norm(a) * np.linalg.norm(b)])
    return float(p_value(products, np.array([a @ b]), scale, "two-sided", exact)[0])


def _all_orders(values: Floats) -> Iterator[Floats]:
    yield values[np.array(list(permutations(range(values.size))))]


def _random_orders(values: Floats, resamples: int, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    rows = chunk_rows(values.size)
    for start in range(0, resamples, rows):
        yield rng.permuted(np.broadcast_to(values, (min(rows, resamples - start), values.size)), axis=1)
