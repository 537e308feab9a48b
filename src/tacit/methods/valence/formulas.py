"""The formulas of temporal valence (Cuscito, Ferrara and Ruskov 2024, section 3), for any bipolar scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Floats", "beta", "beta_bounds", "delta", "delta_bounds", "renormalize"]

Floats = NDArray[np.float64]


def renormalize(p: ArrayLike) -> Floats:
    """p_i / sum_j p_j over the last axis; NaN where the sum is zero.

    The study does not mention this step, but each of its nine printed columns sums to one (within rounding).
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
    """The lowest and highest possible beta: all `unrated` mass u gets the score of one pole or of the other.

    beta_low = sum_rated sigma p + low u and beta_high = sum_rated sigma p + high u. `p` covers only the rated words and
    sums to 1 - u, so both bounds equal beta when everything is rated.
    """
    rated, rest = beta(sigma, p), np.asarray(unrated, dtype=float)
    return rated + low * rest, rated + high * rest


def delta_bounds(rho: ArrayLike, low: ArrayLike, high: ArrayLike, width: float = 2.0) -> tuple[Floats, Floats]:
    """The lowest and highest possible delta for a beta anywhere between `low` and `high`.

    The lowest is at the bound farther from rho, the highest at the point of [low, high] closest to rho.
    """
    lowest = np.minimum(delta(rho, low, width), delta(rho, high, width))
    closest = np.clip(np.asarray(rho, dtype=float), low, high)
    return lowest, delta(rho, closest, width)
