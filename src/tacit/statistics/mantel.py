"""The Mantel test: do two kinds of distances between the same items go together?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Integers, check_resampling, cluster_codes
from tacit.statistics.jackknife import jackknife_interval
from tacit.statistics.permutation import p_value

__all__ = ["Mantel", "mantel"]


@dataclass(frozen=True)
class Mantel:
    """The rank correlation of two kinds of distances.

    Attributes:
        value: The correlation; NaN if all distances of one kind are equal, or there are fewer than three pairs.
        low: The lower end of its interval over items.
        high: The upper end.
        p: Two-sided, under items that are assigned to the other kind's places at random.
        n: How many items there are.
        pairs: How many pairs of items were compared.
    """

    value: float
    low: float
    high: float
    p: float
    n: int
    pairs: int


def mantel(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    within: Iterable[Hashable] | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Mantel:
    """Spearman's rank correlation of the distances a_ij and b_ij over the pairs i < j, tested by permuting items.

    A pair shares its items with other pairs, so pairs are no sample. The p-value (Mantel 1967) assigns the items of the
    second matrix to those of the first at random, b_π(i)π(j), and counts |r*| ≥ |r|. The interval is the jackknife's
    over items, which leaves out all pairs of one item at a time, on the scale of artanh r.

    Args:
        first: A symmetric matrix of distances.
        second: Another, of the same items.
        within: The group of each item; if given, only pairs inside a group are compared, ranked among the pairs of
            their group, and items are permuted inside their groups: what differs between groups plays no part.
        resamples: How many random permutations.
        confidence: The confidence of the interval.
        seed: Their seed.
    """
    check_resampling("percentile", resamples, confidence, seed)
    a, b = _matrix(first, "first"), _matrix(second, "second")
    if a.shape != b.shape:
        raise TacitError(f"The matrices have {len(a)} and {len(b)} items, but must be about the same.")
    n = len(a)
    groups = cluster_codes(within, n)
    if groups is None:
        groups = np.zeros(n, dtype=np.int64)
    rows, columns = np.triu_indices(n, 1)
    inside = groups[rows] == groups[columns]
    rows, columns = rows[inside], columns[inside]
    if rows.size < 3 or np.ptp(a[rows, columns]) == 0 or np.ptp(b[rows, columns]) == 0:
        return Mantel(np.nan, np.nan, np.nan, np.nan, n, int(rows.size))
    x = _centered_ranks(a[rows, columns], groups[rows])
    y = _centered_ranks(b[rows, columns], groups[rows])
    ranks = np.zeros((n, n))
    ranks[rows, columns] = ranks[columns, rows] = y
    scale = float(np.linalg.norm(x) * np.linalg.norm(y))
    value = float(x @ y) / scale
    generator = np.random.default_rng(seed)
    orders = (_permutation(groups, generator) for _ in range(resamples))
    permuted = np.array([[x @ ranks[order[rows], order[columns]]] for order in orders])
    p = float(p_value(permuted, np.array([x @ y]), np.array([scale]), "two-sided", exact=False)[0])
    low, high = _interval(value, _left_out(x, y, rows, columns, n), confidence)
    return Mantel(value, low, high, p, n, int(rows.size))


def _matrix(distances: npt.ArrayLike, name: str) -> Floats:
    matrix = np.asarray(distances, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise TacitError(f"The {name} distances have the shape {matrix.shape}, but must be a square matrix.")
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T):
        raise TacitError(f"The {name} distances must be finite, and the same in both directions.")
    return matrix


def _centered_ranks(values: Floats, groups: Integers) -> Floats:
    """Ranks among the pairs of the same group, from -1/2 to 1/2, so that groups with larger distances do not count."""
    ranks = np.empty_like(values)
    for group in np.unique(groups):
        members = groups == group
        own = np.asarray(rankdata(values[members]), dtype=np.float64)
        ranks[members] = (own - own.mean()) / own.size
    return ranks


def _permutation(groups: Integers, generator: np.random.Generator) -> Integers:
    """A random order of all items in which each stays in its group."""
    order = np.arange(groups.size)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        order[members] = generator.permutation(members)
    return order


def _left_out(x: Floats, y: Floats, rows: Integers, columns: Integers, n: int) -> Floats:
    """The correlation without each item: sums over all pairs minus sums over the item's pairs; items without any stay.

    The ranks are those of all pairs; ranking the rest again would change them by next to nothing.
    """
    products = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    own = np.stack([np.bincount(rows, term, n) + np.bincount(columns, term, n) for term in products])
    count, sx, sy, sxx, syy, sxy = products.sum(axis=1)[:, None] - own
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (sxx - sx**2 / count) * (syy - sy**2 / count)
        values = np.where(spread > 0, (sxy - sx * sy / count) / np.sqrt(np.maximum(spread, 0)), np.nan)
    return np.asarray(values[own[0] > 0])


def _interval(value: float, left_out: Floats, confidence: float) -> tuple[float, float]:
    bounded = np.clip([value, *left_out], -1 + 1e-12, 1 - 1e-12)
    interval = jackknife_interval(float(np.arctanh(bounded[0])), np.arctanh(bounded[1:]), confidence=confidence)
    return float(np.tanh(interval.low)), float(np.tanh(interval.high))
