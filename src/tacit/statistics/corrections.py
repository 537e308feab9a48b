"""Correcting the p-values of a declared family of tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tacit.arguments import wrong_argument
from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, as_numbers

__all__ = ["benjamini_hochberg", "holm"]


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's step-down p-values, which bound the chance of any false finding in the family.

    p̃₍ᵢ₎ = min(1, max_{j ≤ i} (m − j + 1) p₍ⱼ₎). A NaN is a test that was not made: it stays NaN and m leaves it out.
    The last axis is the family.
    """
    return _corrected(p, lambda ordered, rank, m: np.maximum.accumulate(ordered * (m - rank + 1), axis=-1))


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Benjamini and Hochberg's step-up p-values, which bound the expected share of false findings.

    p̃₍ᵢ₎ = min(1, min_{j ≥ i} (m / j) p₍ⱼ₎). A NaN is a test that was not made: it stays NaN and m leaves it out.
    The last axis is the family.
    """

    def step_up(ordered: Floats, rank: Floats, m: Floats) -> Floats:
        # NaNs come last, and fmin passes over them.
        least: Floats = np.fmin.accumulate((ordered * m / rank)[..., ::-1], axis=-1)[..., ::-1]
        return np.where(np.isnan(ordered), np.nan, least)

    return _corrected(p, step_up)


def _corrected(p: npt.ArrayLike, adjust: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
    values = as_numbers(p, "p")
    if values.ndim == 0:
        raise wrong_argument("p", "a list of p-values", p)
    if np.any((values < 0) | (values > 1)):
        raise TacitError("A p-value lies outside 0 to 1: pass p-values, not statistics.")
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    rank = np.arange(1, values.shape[-1] + 1, dtype=np.float64)
    made = np.asarray(np.sum(~np.isnan(values), axis=-1, keepdims=True), dtype=np.float64)
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, np.minimum(1.0, adjust(ordered, rank, made)), axis=-1)
    return adjusted
