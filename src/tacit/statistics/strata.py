"""Means over two or more strata that count alike, where an item may belong to two units of the same kind.

A study that takes 29 occupations of women and 29 of men sampled within each group, so the difference between the groups
is no part of the sampling error. A sentence about one occupation that names another belongs to both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Integers, check_confidence, cluster_codes, column
from tacit.statistics.intervals import Interval

__all__ = ["StrataMean", "mean_of_strata", "ratio_interval"]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class StrataMean:
    """The mean of the means of strata, with its standard error.

    Attributes:
        value: The mean.
        error: Its standard error; NaN where a stratum has fewer than two units.
        df: The degrees of freedom of Student's t.
        n: The number of units.
        skewness: That of the mean, which is smaller than that of the items.
    """

    value: float
    error: float
    df: float
    n: int
    skewness: float = 0.0

    def quantile(self, confidence: float) -> float:
        """How many standard errors the interval reaches to either side."""
        check_confidence(confidence)
        return float(stdtrit(self.df, (1 + confidence) / 2))

    def interval(self, confidence: float = 0.95) -> Interval:
        """value ± t · error."""
        reach = self.quantile(confidence) * self.error
        return Interval(self.value, self.value - reach, self.value + reach, confidence, self.n, "strata")

    def skewed_interval(self, confidence: float = 0.95) -> Interval:
        """value − g⁻¹(±t) · error, with g(x) = x + κx²/3 + κ²x³/27 + κ/6 for the skewness κ of the mean (Hall 1992).

        For probabilities and other values that a few units dominate: `interval` would cover too rarely.
        """
        if not abs(self.skewness) > _ROUNDING:
            return self.interval(confidence)
        t, skew = self.quantile(confidence), self.skewness
        high, low = (3 / skew * (np.cbrt(1 + skew * (x - skew / 6)) - 1) for x in (-t, t))
        ends = self.value - low * self.error, self.value - high * self.error
        return Interval(self.value, float(ends[0]), float(ends[1]), confidence, self.n, "strata")

    @property
    def p(self) -> float:
        """The two-sided p-value of the hypothesis that the mean is zero."""
        if self.error == 0:
            # Nothing varies, so the sign of each unit is all the evidence there is.
            return 1.0 if self.value == 0 else 2.0 ** (1 - self.n)
        return float(2 * stdtr(self.df, -abs(self.value) / self.error))


def mean_of_strata(
    values: npt.ArrayLike,
    strata: Iterable[Hashable],
    units: Iterable[Hashable],
    others: Iterable[Hashable] | None = None,
) -> StrataMean:
    """The mean over strata of the mean of their items.

    With eᵢ = √(c/(c − 1)) (xᵢ − x̄_g) / (G n_g) for an item of stratum g, one of G, which has n_g items and c units in
    its rarer role: se² = Σ_u (Σ_{i∋u} eᵢ)² − Σ_p (Σ_{i∈p} eᵢ)², over the units u and, where items have two units, over
    the pairs p of units, which the first sum counts twice (Aronow, Samii and Assenova 2015). It is no less than the
    variance of either role alone. The degrees of freedom are Welch's (1947), with c − 1 in each stratum.

    Args:
        values: One value per item.
        strata: The stratum of each item.
        units: The unit that each item is about.
        others: A second unit of the same kind for each item, from the same names.
    """
    items = column(values)
    groups = _codes(strata, items.size)
    roles = _roles(items.size, units, others)
    count = int(groups.max()) + 1
    means = np.array([items[groups == group].mean() for group in range(count)])
    rarer = np.array([_rarer_role(roles, groups == group) for group in range(count)])
    n = len(np.unique(roles[0]))
    if rarer.min() < 2:
        return StrataMean(float(means.mean()), np.nan, np.nan, n)
    deviations = items - means[groups]
    # The mean of equal values is rounded, which must not pass for a spread.
    deviations[np.abs(deviations) <= _ROUNDING * np.abs(items).max()] = 0.0
    residuals = deviations * (np.sqrt(rarer / (rarer - 1)) / (count * np.bincount(groups)))[groups]
    within = [_variance(np.where(groups == group, residuals, 0.0), roles) for group in range(count)]
    spread = sum(variance**2 / (size - 1) for variance, size in zip(within, rarer, strict=True))
    df = sum(within) ** 2 / spread if spread > 0 else float(rarer.sum() - count)
    error = float(np.sqrt(_variance(residuals, roles)))
    skewness = _third_moment(residuals, roles) / error**3 if error > 0 else 0.0
    return StrataMean(float(means.mean()), error, float(df), n, skewness)


def ratio_interval(top: StrataMean, bottom: StrataMean, difference: StrataMean, confidence: float = 0.95) -> Interval:
    """The ratio of two means of the same items with Fieller's (1954) interval.

    The ends are the ratios ρ with (T − ρB)² = t² (V_T − 2ρC + ρ²V_B), C = (V_T + V_B − V_{T−B}) / 2. They exist only if
    the bottom differs from zero at this confidence; otherwise they are NaN.

    Args:
        top: The mean T.
        bottom: The mean B.
        difference: The mean of the items' T minus B, which tells how the two vary together.
        confidence: The confidence of the interval.
    """
    t = min((top, bottom, difference), key=lambda mean: mean.df).quantile(confidence)
    vary = [t**2 * mean.error**2 for mean in (top, bottom, difference)]
    together = (vary[0] + vary[1] - vary[2]) / 2
    square, linear, constant = bottom.value**2 - vary[1], top.value * bottom.value - together, top.value**2 - vary[0]
    inside = linear**2 - square * constant
    ratio = top.value / bottom.value if bottom.value else np.nan
    if not (square > 0 and inside >= 0):
        return Interval(ratio, np.nan, np.nan, confidence, top.n, "strata")
    root = float(np.sqrt(inside))
    return Interval(ratio, (linear - root) / square, (linear + root) / square, confidence, top.n, "strata")


def _codes(labels: Iterable[Hashable], items: int) -> Integers:
    codes = cluster_codes(labels, items)
    if codes is None:
        raise TacitError("The mean of strata needs a stratum and a unit for every item.")
    return codes


def _roles(items: int, units: Iterable[Hashable], others: Iterable[Hashable] | None) -> list[Integers]:
    """The units of each item, numbered alike in both roles."""
    if others is None:
        return [_codes(units, items)]
    both = _codes([*units, *others], 2 * items)
    return [both[:items], both[items:]]


def _rarer_role(roles: list[Integers], chosen: npt.NDArray[np.bool_]) -> int:
    return min(len(np.unique(role[chosen])) for role in roles)


def _variance(residuals: Floats, roles: list[Integers]) -> float:
    size = int(max(role.max() for role in roles)) + 1
    sums = [np.bincount(role, weights=residuals, minlength=size) for role in roles]
    single = [float(np.sum(of_role**2)) for of_role in sums]
    if len(roles) == 1:
        return single[0]
    pairs = np.minimum(*roles) * size + np.maximum(*roles)
    of_pairs = np.bincount(np.unique(pairs, return_inverse=True)[1], weights=residuals)
    return max(float(np.sum((sums[0] + sums[1]) ** 2) - np.sum(of_pairs**2)), *single)


def _third_moment(residuals: Floats, roles: list[Integers]) -> float:
    sums = np.zeros(int(max(role.max() for role in roles)) + 1)
    for role in roles:
        sums += np.bincount(role, weights=residuals, minlength=sums.size)
    return float(np.sum(sums**3))
