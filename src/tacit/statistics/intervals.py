"""Bootstrap intervals over the unit that was sampled: an item, or a whole cluster of items that share one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Method, check_resampling, cluster_codes, column, finite, pair
from tacit.statistics.resampling import Statistic, Units, draw_counts, draw_units, leave_one_out, recompute

__all__ = ["Interval", "bootstrap", "bootstrap_many", "interval_from", "paired_difference", "percentile_levels"]

# The means of this many columns are held at once: 10,000 resamples of them take 40 MB.
COLUMNS_AT_ONCE = 512


@dataclass(frozen=True)
class Interval:
    """A value with its interval; `method` says how it was made.

    `n` is the number of sampled units (clusters where there are clusters), `undefined` the number of resamples in which
    the statistic did not exist (a correlation with a constant), which were left out.
    """

    value: float
    low: float
    high: float
    confidence: float
    n: int
    method: Method | Literal["wilson", "crossed", "strata", "fisher", "jackknife", "feldt", "shrout-fleiss"]
    undefined: int = 0


def bootstrap(
    values: npt.ArrayLike,
    statistic: Statistic | None = None,
    *,
    clusters: Iterable[Hashable] | None = None,
    method: Method = "percentile",
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The interval of a statistic (by default the mean) of items (n,) or rows of items (n, k).

    A statistic maps (resamples, items[, k]) to (resamples,). With clusters, whole clusters are drawn, so the number of
    items may differ from call to call. One unit gives no interval (NaN); equal values give one of no width.
    """
    check_resampling(method, resamples, confidence, seed)
    if statistic is None:
        items = column(values)[:, None]
        return bootstrap_many(
            items, clusters=clusters, method=method, resamples=resamples, confidence=confidence, seed=seed
        )[0]
    items = finite(values)
    units = Units.of(cluster_codes(clusters, len(items)), len(items))
    value = _value_of(statistic, items)
    if len(units) == 1:
        return Interval(value, np.nan, np.nan, confidence, 1, method)
    replicates = recompute(statistic, items, units, draw_units(len(units), resamples, seed))
    jackknife = recompute(statistic, items, units, leave_one_out(len(units))) if method == "bca" else None
    return interval_from(value, replicates, len(units), confidence, jackknife)


def bootstrap_many(
    matrix: npt.ArrayLike,
    *,
    clusters: Iterable[Hashable] | None = None,
    method: Method = "percentile",
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[Interval]:
    """The intervals of the means of m columns (n, m); each resample draws the same rows for all columns.

    The mean of a resample that draws unit u w_u times is Σ_u w_u s_u / Σ_u w_u n_u, with s_u the sum and n_u the number
    of the items of unit u.
    """
    check_resampling(method, resamples, confidence, seed)
    items = finite(matrix)
    if items.ndim != 2:
        raise TacitError(f"The matrix has {items.ndim} dimensions where items by columns are needed.")
    units = Units.of(cluster_codes(clusters, len(items)), len(items))
    blocks = range(0, items.shape[1], COLUMNS_AT_ONCE)
    return [
        interval
        for start in blocks
        for interval in _means(
            items[:, start : start + COLUMNS_AT_ONCE],
            units,
            draw_counts(len(units), resamples, seed),
            confidence,
            method,
        )
    ]


def paired_difference(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    clusters: Iterable[Hashable] | None = None,
    method: Method = "percentile",
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The interval of mean(a − b), where a and b are two measurements of the same items."""
    left, right = pair(a, b)
    return bootstrap(
        left - right, clusters=clusters, method=method, resamples=resamples, confidence=confidence, seed=seed
    )


def interval_from(
    value: float, replicates: Floats, n: int, confidence: float, jackknife: Floats | None = None
) -> Interval:
    """The percentile interval of the replicates, or BCa where the jackknife values are given.

    The percentiles of `n` units are taken at Φ(∓t √(n/(n − 1))), with t the quantile of n − 1 degrees of freedom, and
    not at those of the normal distribution: a plain percentile interval of few units is too narrow by √((n − 1)/n) and
    by using the normal quantile (Hesterberg 2015).
    """
    method: Method = "percentile" if jackknife is None else "bca"
    defined = replicates[~np.isnan(replicates)]
    undefined = replicates.size - defined.size
    if np.isnan(value) or defined.size == 0:
        return Interval(value, np.nan, np.nan, confidence, n, method, undefined)
    levels = percentile_levels(confidence, n)
    if jackknife is not None:
        levels = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
        levels = _bca_levels(levels, value, defined, jackknife[~np.isnan(jackknife)])
    # A statistic outside all its resamples has no bias correction, hence no BCa interval.
    low, high = np.quantile(defined, levels) if np.isfinite(levels).all() else (np.nan, np.nan)
    return Interval(value, float(low), float(high), confidence, n, method, undefined)


def percentile_levels(confidence: float, n: int) -> Floats:
    """The levels of the low and the high end of a percentile interval over `n` units."""
    if n < 2:
        return np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    reach = stdtrit(n - 1, (1 + confidence) / 2) * np.sqrt(n / (n - 1))
    return np.asarray(ndtr(np.array([-reach, reach])))


def _means(items: Floats, units: Units, draws: Iterator[Floats], confidence: float, method: Method) -> list[Interval]:
    # Residuals keep the sums exact for equal values, and accurate when the mean is far from zero.
    centre = np.where(np.ptp(items, axis=0) == 0, items[0], items.mean(axis=0))
    sums, sizes = units.sums(items - centre), units.sizes.astype(np.float64)
    n = len(units)
    if n == 1:
        return [Interval(float(value), np.nan, np.nan, confidence, 1, method) for value in centre]
    totals_and_sizes = np.column_stack([sums, sizes])
    drawn = np.concatenate([counts @ totals_and_sizes for counts in draws])
    replicates = drawn[:, :-1] / drawn[:, -1:]
    jackknife = (sums.sum(axis=0) - sums) / (sizes.sum() - sizes)[:, None] if method == "bca" else None
    return [
        _shifted(
            interval_from(0.0, replicates[:, j], n, confidence, None if jackknife is None else jackknife[:, j]),
            centre[j],
        )
        for j in range(centre.size)
    ]


def _shifted(interval: Interval, by: float) -> Interval:
    low, high = float(by + interval.low), float(by + interval.high)
    return Interval(float(by), low, high, interval.confidence, interval.n, interval.method, interval.undefined)


def _bca_levels(levels: Floats, value: float, replicates: Floats, jackknife: Floats) -> Floats:
    """The bias-corrected and accelerated levels Φ(z₀ + (z₀ + z_α) / (1 − a (z₀ + z_α))) (Efron 1987).

    z₀ = Φ⁻¹(share of replicates below the value, ties by half); a = Σ d³ / (6 (Σ d²)^{3/2}), d = mean(θ₍₋ᵢ₎) − θ₍₋ᵢ₎.
    """
    # Rounding must not split ties, which are common for means of zeros and ones.
    tolerance = 1e-9 * float(np.ptp(replicates))
    below = np.mean(replicates < value - tolerance)
    not_above = np.mean(replicates <= value + tolerance)
    bias = ndtri((below + not_above) / 2)
    deviations = jackknife.mean() - jackknife
    spread = float(np.sum(deviations**2))
    acceleration = 0.0 if spread == 0 else float(np.sum(deviations**3)) / (6 * spread**1.5)
    z = bias + ndtri(levels)
    corrected: Floats = ndtr(bias + z / (1 - acceleration * z))
    return corrected


def _value_of(statistic: Statistic, items: Floats) -> float:
    result = np.asarray(statistic(items[None]))
    if result.shape != (1,):
        raise TacitError(
            f"The statistic gave shape {result.shape} for one resample where (1,) is needed: reduce over axis 1."
        )
    return float(result[0])
