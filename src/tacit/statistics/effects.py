"""How large a difference is, apart from how sure we are of it."""

from __future__ import annotations

import numpy as np

from tacit.statistics.inputs import Floats
from tacit.statistics.moments import Moments

__all__ = ["standardized_difference"]


def standardized_difference(first: Moments, second: Moments) -> Floats:
    """Cohen's d of two groups from their moments: (m₁ − m₂) / sqrt((n₁ v₁ + n₂ v₂) / (n₁ + n₂ − 2)).

    The variances v are divided by n, so n v is the sum of squares that (n − 1) s² is elsewhere. Zero where the means
    are equal, infinite where they differ and nothing varies.
    """
    gap = first.mean - second.mean
    squares = first.variance * first.n + second.variance * second.n
    spread = np.sqrt(squares / (first.n + second.n - 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / spread)
