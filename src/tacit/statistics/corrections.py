"""Correcting the p-values of a declared family of tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, as_numbers

__all__ = ["benjamini_hochberg", "holm"]


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's step-down p-values, which bound the chance of any false finding in the family.

    p̃₍ᵢ₎ = min(1, max_{j ≤ i} (m − j + 1) p₍ⱼ₎). A NaN is a test that was not made: it stays NaN and m leaves it out.
    """
    return _corrected(p, lambda ordered: np.maximum.accumulate(ordered * np.arange(ordered.size, 0, -1)))


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Benjamini and Hochberg's step-up p-values, which bound the expected share of false findings.

    p̃₍ᵢ₎ = min(1, min_{j ≥ i} (m / j) p₍ⱼ₎). A NaN is a test that was not made: it stays NaN and m leaves it out.
    """

    def step_up(ordered: Floats) -> Floats:
        scaled = ordered * ordered.size / np.arange(1, ordered.size + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _corrected(p, step_up)


def _corrected(p: npt.ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    values = as_numbers(p, "p")
    if np.any((values < 0) | (values > 1)):
        raise TacitError("A p-value lies outside 0 to 1: pass p-values, not statistics.")
    adjusted = np.full(values.shape, np.nan)
    made = ~np.isnan(values)
    order = np.argsort(values[made], kind="stable")
    result = np.empty(order.size)
    result[order] = np.minimum(1.0, adjust(values[made][order]))
    adjusted[made] = result
    return adjusted
