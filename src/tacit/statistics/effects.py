"""How large a difference is, apart from how sure we are of it."""

from __future__ import annotations

import numpy as np
from scipy.special import nctdtr, ndtr

from tacit.statistics.inputs import Floats, Integers
from tacit.statistics.moments import Moments

__all__ = ["margin_tests", "standardized_difference"]

Counts = int | Integers

# A statistic beyond this is as certain as one that is infinite.
_LARGEST_T = 1e6


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


def margin_tests(effect: Floats, n_first: Counts, n_second: Counts, margin: float) -> tuple[Floats, Floats]:
    """Test Cohen's d of two groups against a margin: is it larger, and is it smaller?

    With t = d / √(1/n₁ + 1/n₂), which has a noncentral t distribution with n₁ + n₂ − 2 degrees of freedom and
    noncentrality δ = ±margin / √(1/n₁ + 1/n₂) where |d| is the margin: p_beyond = P(|T| ≥ |t|; δ), a minimum-effect
    test (Murphy and Myors 1999), and p_within = P(T ≤ |t|; δ), two one-sided tests (Schuirmann 1987).

    Args:
        effect: Cohen's d, as `standardized_difference` gives it.
        n_first: Number of items in the first group.
        n_second: Number of items in the second group.
        margin: The size of d up to which a difference does not matter.

    Returns:
        The p-value of "|d| is at most the margin", and that of "|d| is at least the margin".
    """
    unit = np.sqrt(1 / n_first + 1 / n_second)
    size, freedom, delta = np.minimum(np.abs(effect) / unit, _LARGEST_T), n_first + n_second - 2, margin / unit
    # The upper tail as the lower tail of the mirrored distribution keeps its digits.
    beyond = _noncentral_t(freedom, -delta, -size) + _noncentral_t(freedom, delta, -size)
    return np.minimum(beyond, 1.0), _noncentral_t(freedom, delta, size)


def _noncentral_t(freedom: Counts, delta: float | Floats, t: Floats) -> Floats:
    """P(T ≤ t) with noncentrality delta.

    Far in a tail scipy gives NaN, which would leave the clearest words without a p-value. There the normal
    approximation Φ((t (1 − 1/4f) − delta) / √(1 + t²/2f)) of Johnson and Welch (1940) serves.
    """
    exact = np.asarray(nctdtr(freedom, delta, t))
    normal = np.asarray(ndtr((t * (1 - 1 / (4 * freedom)) - delta) / np.sqrt(1 + t**2 / (2 * freedom))))
    return np.where(np.isnan(exact), normal, exact)
