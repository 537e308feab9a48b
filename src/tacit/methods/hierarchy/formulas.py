"""The formulas of HERB (Li et al. 2022): how unevenly a model judges the parts of a whole.

Arrays end in (regions, words): the sub-regions of one region, and any number of regions at once in the axes before.
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
    "last_pair_sparseness",
    "sparseness",
    "weighted_sparseness",
]

Floats: TypeAlias = npt.NDArray[np.float64]
PairWeights = Literal["sum-to-one", "per-pair"]

# Distances that are held at once: 8 MB of them, which a processor's cache still holds.
_DISTANCES_AT_ONCE = 1_000_000


def descriptive_vector(scores: npt.ArrayLike) -> Floats:
    """v = v' / ||v'|| with v' = (f(S_1), ..., f(S_n)), the sentence scores of one region (Eq. 2)."""
    scores = np.asarray(scores, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(scores / np.linalg.norm(scores, axis=-1, keepdims=True))


def sparseness(vectors: npt.ArrayLike) -> Floats:
    """c(R) = 2 / (|R| (|R| - 1)) * sum over pairs of ||v_1 - v_2|| (Eq. 3); undefined (NaN) below two regions."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return weighted_sparseness(vectors, np.zeros(vectors.shape[:-1]))


def centroid(vectors: npt.ArrayLike) -> Floats:
    """The mean of the sub-regions' vectors (Eq. 5)."""
    return np.asarray(np.mean(np.asarray(vectors, dtype=np.float64), axis=-2))


def dimension_sparseness(vectors: npt.ArrayLike) -> Floats:
    """c(R)_i = 2 / (|R| (|R| - 1)) * sum over pairs of |v_1i - v_2i|, one value a word (Eq. 6).

    The k-th smallest of n values is the larger one in k - 1 pairs and the smaller one in n - k, so the sum over pairs
    is that of (2k - n - 1) times the sorted values: n log n instead of n squared.
    """
    ordered = np.sort(np.asarray(vectors, dtype=np.float64), axis=-2)
    count = ordered.shape[-2]
    shares = (2.0 * np.arange(1, count + 1) - count - 1) / _pairs(count)
    return np.asarray(np.einsum("k,...ki->...i", shares, ordered))


def last_pair_sparseness(vectors: npt.ArrayLike) -> Floats:
    """What the reference code has in place of Eq. 6: (v_1i - v_2i)^2 of the last two sub-regions, over all pairs."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return np.asarray((vectors[..., -2, :] - vectors[..., -1, :]) ** 2 / _pairs(vectors.shape[-2]))


def alpha_softmax(dimensions: npt.ArrayLike) -> Floats:
    """alpha_i = exp(c_i) / sum of exp(c_i') (Eq. 7). Where every c_i is small this is 1/n, whatever the data."""
    dimensions = np.asarray(dimensions, dtype=np.float64)
    raised = np.exp(dimensions - dimensions.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def alpha_share(dimensions: npt.ArrayLike) -> Floats:
    """alpha_i = c_i / sum of c_i', the weight that Eq. 7 seems to have meant; 1/n where nothing differs."""
    dimensions = np.asarray(dimensions, dtype=np.float64)
    total = dimensions.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(total > 0, dimensions / total, 1.0 / dimensions.shape[-1]))


def aggregated_vector(vector: npt.ArrayLike, alpha: npt.ArrayLike, middle: npt.ArrayLike) -> Floats:
    """V = v + alpha o centroid of the sub-regions (Eq. 4), the product taken word by word."""
    return np.asarray(np.asarray(vector, dtype=np.float64) + np.asarray(alpha) * np.asarray(middle))


def distance_to_centroid(vectors: npt.ArrayLike) -> Floats:
    """C of a region without sub-regions: ||v - centroid of its siblings and itself|| (Eq. 8, l = 1)."""
    vectors = np.asarray(vectors, dtype=np.float64)
    return np.asarray(np.linalg.norm(vectors - centroid(vectors)[..., None, :], axis=-1))


def weighted_sparseness(vectors: npt.ArrayLike, scores: npt.ArrayLike, weights: PairWeights = "sum-to-one") -> Floats:
    """C = sum over pairs of w_12 ||V_1 - V_2||, with w_12 = exp(s_1 + s_2) / sum over pairs of it (Eq. 8 to 10).

    The scores s are the sub-regions' C (C_w) or the log-likelihood of their bare names (C_z). `per-pair` divides once
    more by the number of pairs, as Eq. 8 is printed although its weights already sum to one. Undefined below two.
    """
    vectors, scores = np.asarray(vectors, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    count = vectors.shape[-2]
    if count < 2:
        return np.full(vectors.shape[:-2], np.nan)
    # exp(s_1 + s_2) is a product, and both sums over pairs are quadratic forms in its factors.
    factors = np.exp(scores - scores.max(axis=-1, keepdims=True))
    paired = factors.sum(axis=-1) ** 2 - (factors**2).sum(axis=-1)
    distance = np.zeros(vectors.shape[:-2])
    for rows, apart in _distances(vectors):
        # The block starts at its own rows, so its first columns hold each pair twice and the others once.
        twice = factors[..., rows.start :].copy()
        twice[..., rows.stop - rows.start :] *= 2
        distance += np.einsum("...i,...i->...", factors[..., rows], (apart @ twice[..., None])[..., 0])
    return np.asarray(distance / paired / (_pairs(count) if weights == "per-pair" else 1))


def _pairs(count: int) -> float:
    return count * (count - 1) / 2


def _distances(vectors: Floats) -> Iterator[tuple[slice, Floats]]:
    """Blocks of rows of the distance matrix, each from its own first row on.

    They come from scalar products around the centroid, where little cancels out.
    """
    count = vectors.shape[-2]
    around = vectors - centroid(vectors)[..., None, :]
    squares = np.einsum("...ri,...ri->...r", around, around)
    step = max(16, _DISTANCES_AT_ONCE // count)
    for start in range(0, count, step):
        rows = slice(start, min(start + step, count))
        both = squares[..., rows, None] + squares[..., None, start:]
        apart = both - 2 * (around[..., rows, :] @ np.swapaxes(around[..., start:, :], -1, -2))
        # Equal vectors leave rounding noise, whose root would not be small.
        apart[apart < 1e-13 * both] = 0.0
        yield rows, np.sqrt(apart)
