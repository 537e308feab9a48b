"""The equations of HERB (Li et al. 2022).

Arrays end in the axes (sub-regions, words); any axes before these hold several regions at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "PairWeights",
    "aggregated_vector",
    "alpha_share",
    "alpha_softmax",
    "centroid",
    "descriptive_vector",
    "dimension_sparseness",
    "distance_to_centroid",
    "grouped_sparseness",
    "last_pair_sparseness",
    "sparseness",
    "weighted_sparseness",
]

Floats: TypeAlias = npt.NDArray[np.float64]
PairWeights = Literal["sum-to-one", "per-pair"]

# 8 MB of distances fit into a processor's cache.
_DISTANCES_PER_BLOCK = 1_000_000


def descriptive_vector(scores: npt.ArrayLike) -> Floats:
    """v = v' / ||v'|| with v' = (f(S_1), ..., f(S_n)), the sentence scores of one region (Eq. 2)."""
    scores = np.asarray(scores, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(scores / np.linalg.norm(scores, axis=-1, keepdims=True))


def sparseness(vectors: npt.ArrayLike) -> Floats:
    """c(R) = 2 / (|R| (|R| - 1)) * sum over pairs of ||v_1 - v_2|| (Eq. 3); NaN for fewer than two regions."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return weighted_sparseness(vectors, np.zeros(vectors.shape[:-1]))


def centroid(vectors: npt.ArrayLike) -> Floats:
    """The mean of the sub-regions' vectors (Eq. 5)."""
    return np.asarray(np.mean(np.asarray(vectors, dtype=np.float64), axis=-2))


def dimension_sparseness(vectors: npt.ArrayLike) -> Floats:
    """c(R)_i = 2 / (|R| (|R| - 1)) * sum over pairs of |v_1i - v_2i|, one value per word (Eq. 6).

    The k-th smallest of n values is the larger in k - 1 pairs and the smaller in n - k pairs, so the sum over pairs is
    the sum of (2k - n - 1) times the sorted values: n log n operations instead of n squared.
    """
    ordered = np.sort(np.asarray(vectors, dtype=np.float64), axis=-2)
    count = ordered.shape[-2]
    shares = (2.0 * np.arange(1, count + 1) - count - 1) / _pair_count(count)
    return np.asarray(np.einsum("k,...ki->...i", shares, ordered))


def last_pair_sparseness(vectors: npt.ArrayLike) -> Floats:
    """The reference code's Eq. 6: (v_1i - v_2i)^2 of the last two sub-regions only, divided by the number of pairs."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return np.asarray((vectors[..., -2, :] - vectors[..., -1, :]) ** 2 / _pair_count(vectors.shape[-2]))


def alpha_softmax(dimensions: npt.ArrayLike) -> Floats:
    """alpha_i = exp(c_i) / sum of exp(c_i') (Eq. 7). Small c_i make this nearly 1/n for any data."""
    dimensions = np.asarray(dimensions, dtype=np.float64)
    powers = np.exp(dimensions - dimensions.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def alpha_share(dimensions: npt.ArrayLike) -> Floats:
    """alpha_i = c_i / sum of c_i', probably what Eq. 7 was meant to be; 1/n if nothing differs."""
    dimensions = np.asarray(dimensions, dtype=np.float64)
    total = dimensions.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(total > 0, dimensions / total, 1.0 / dimensions.shape[-1]))


def aggregated_vector(vector: npt.ArrayLike, alpha: npt.ArrayLike, center: npt.ArrayLike) -> Floats:
    """V = v + alpha o center, the centroid of the sub-regions, multiplied word by word (Eq. 4)."""
    return np.asarray(np.asarray(vector, dtype=np.float64) + np.asarray(alpha) * np.asarray(center))


def distance_to_centroid(vectors: npt.ArrayLike) -> Floats:
    """C of a region without sub-regions: ||v - centroid of its siblings and itself|| (Eq. 8, l = 1)."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return np.asarray(np.linalg.norm(vectors - centroid(vectors)[..., None, :], axis=-1))


def weighted_sparseness(vectors: npt.ArrayLike, scores: npt.ArrayLike, weights: PairWeights = "sum-to-one") -> Floats:
    """C = sum over pairs of w_12 ||V_1 - V_2||, with w_12 = exp(s_1 + s_2) / sum over pairs of it (Eq. 8 to 10).

    Args:
        vectors: V of the sub-regions.
        scores: s of the sub-regions: their C for C_w, the log-likelihood of their bare names for C_z.
        weights: `per-pair` divides once more by the number of pairs, as Eq. 8 is printed although its weights already
            sum to one.

    Returns:
        C of each region; NaN for fewer than two sub-regions.
    """
    vectors, scores = np.asarray(vectors, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    count = vectors.shape[-2]
    if count < 2:
        return np.full(vectors.shape[:-2], np.nan)
    # exp(s_1 + s_2) is a product, and both sums over pairs are quadratic forms in its factors.
    factors = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total_weight = factors.sum(axis=-1) ** 2 - (factors**2).sum(axis=-1)
    distance = np.zeros(vectors.shape[:-2])
    for rows, block in _distance_blocks(vectors):
        # A block's columns start at its own rows, so its first columns hold each pair twice, the others once.
        column_factors = factors[..., rows.start :].copy()
        column_factors[..., rows.stop - rows.start :] *= 2
        distance += np.einsum("...i,...i->...", factors[..., rows], (block @ column_factors[..., None])[..., 0])
    return np.asarray(distance / total_weight / (_pair_count(count) if weights == "per-pair" else 1))


def grouped_sparseness(vectors: npt.ArrayLike, factors: npt.ArrayLike) -> Floats:
    """C = sum over pairs of u_1 u_2 ||V_1 - V_2|| / sum over pairs of u_1 u_2, for many choices of the factors u.

    With u = exp(s) this is Eq. 8 to 10; u = 0 leaves a sub-region out. So each row of factors is a group of regions,
    and all groups share one matrix of distances.

    Args:
        vectors: V of all regions: (regions, words).
        factors: u of each region in each group: (groups, regions).

    Returns:
        C of each group; NaN for fewer than two regions.
    """
    vectors, factors = np.asarray(vectors, dtype=np.float64), np.asarray(factors, dtype=np.float64)
    distance = np.zeros(len(factors))
    for rows, block in _distance_blocks(vectors):
        column_factors = factors[:, rows.start :].copy()
        column_factors[:, rows.stop - rows.start :] *= 2
        distance += np.einsum("gi,gi->g", factors[:, rows], column_factors @ block.T)
    total_weight = factors.sum(axis=-1) ** 2 - (factors**2).sum(axis=-1)
    single = (factors > 0).sum(axis=-1) < 2
    return np.asarray(np.divide(distance, total_weight, out=np.full(len(factors), np.nan), where=~single))


def _pair_count(count: int) -> float:
    return count * (count - 1) / 2


def _distance_blocks(vectors: Floats) -> Iterator[tuple[slice, Floats]]:
    """The distance matrix in blocks of rows, each block with the columns from its own first row on.

    Distances come from scalar products; subtracting the centroid first keeps cancellation errors small.
    """
    count = vectors.shape[-2]
    centered = vectors - centroid(vectors)[..., None, :]
    squares = np.einsum("...ri,...ri->...r", centered, centered)
    step = max(16, _DISTANCES_PER_BLOCK // count)
    for start in range(0, count, step):
        rows = slice(start, min(start + step, count))
        sums = squares[..., rows, None] + squares[..., None, start:]
        block = sums - 2 * (centered[..., rows, :] @ np.swapaxes(centered[..., start:, :], -1, -2))
        # Equal vectors leave rounding noise whose square root would not be small.
        block[block < 1e-13 * sums] = 0.0
        yield rows, np.sqrt(block)
