"""The formulas of temporal valence (Cuscito, Ferrara and Ruskov 2024, section 3), for any bipolar scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["beta", "beta_bounds", "delta", "delta_bounds", "renormalised"]

Floats = NDArray[np.float64]


def renormalised(p: ArrayLike) -> Floats:
    """p_i / sum_j p_j over the last axis; nan where there is no mass to share.

    The study does not say that it does so, but each of its nine printed columns sums to one (within rounding).
    """
    weights = np.asarray(p, dtype=float)
    mass = weights.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(weights, mass, out=np.full_like(weights, np.nan), where=mass > 0))


def beta(sigma: ArrayLike, p: ArrayLike) -> Floats:
    """The bias of a model in a sentence, beta(m, s) = x_m^T p_m = sum_i sigma(w_i, s) p(w_i), over the last axis."""
    return np.asarray(np.sum(np.asarray(sigma, dtype=float) * np.asarray(p, dtype=float), axis=-1))


def delta(rho: ArrayLike, bias: ArrayLike, width: float = 2.0) -> Floats:
    """Domain adequacy, delta(m, s) = 1 - |rho(s) - beta(m, s)| / 2, where 2 is the width of the scale from -1 to 1."""
    return np.asarray(1.0 - np.abs(np.asarray(rho, dtype=float) - np.asarray(bias, dtype=float)) / width)


def beta_bounds(sigma: ArrayLike, p: ArrayLike, unrated: ArrayLike, low: float, high: float) -> tuple[Floats, Floats]:
    """The least and the greatest beta, were all `unrated` mass to get the score of one pole.

    beta_low = sum_rated sigma p + low u and beta_high = sum_rated sigma p + high u; `p` holds the rated words alone
    and sums to 1 - u, so both bounds are beta itself when everything is rated.
    """
    known, rest = beta(sigma, p), np.asarray(unrated, dtype=float)
    return known + low * rest, known + high * rest


def delta_bounds(rho: ArrayLike, low: ArrayLike, high: ArrayLike, width: float = 2.0) -> tuple[Floats, Floats]:
    """The least and the greatest delta while beta lies anywhere between `low` and `high`.

    The least is taken at the bound farther from rho, the greatest at the point of [low, high] nearest to rho.
    """
    least = np.minimum(delta(rho, low, width), delta(rho, high, width))
    nearest = np.clip(np.asarray(rho, dtype=float), low, high)
    return least, delta(rho, nearest, width)
