"""Means of values that are known only within bounds: what holds whatever the unknown part is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, finite
from tacit.statistics.intervals import percentile_levels
from tacit.statistics.permutation import all_flips, random_flips
from tacit.statistics.resampling import Resampling, draw_counts

__all__ = ["BoundedMean", "bounded_mean"]


@dataclass(frozen=True)
class BoundedMean:
    """The interval of a mean over units and over everything that the bounds leave open, and the test of a null value.

    Attributes:
        low: The low end; NaN for a single unit.
        high: The high end.
        p: Two-sided; NaN for a single unit, or if nothing was tested.
        n: The number of units.
    """

    low: float
    high: float
    p: float
    n: int


def bounded_mean(
    low: npt.ArrayLike, high: npt.ArrayLike, *, null: float | None = 0.0, resampling: Resampling | None = None
) -> BoundedMean:
    """The mean over n units, each of which lies somewhere between its `low` and its `high`.

    The interval goes from the low percentile of the resampled mean of `low` to the high percentile of the resampled
    mean of `high`, at the levels of `percentile_levels`; where both are equal it is the usual bootstrap interval.
    p = 2 min(p_<, p_>), with p_< the sign-flip test of "not below `null`" on the highest possible values and p_> that
    of "not above" on the lowest. p_< = P(Σ_{flipped u} (x_u − null) ≥ 0) never falls when an x_u rises, so the p of
    the values themselves is at most this one, whatever they are.

    Args:
        low: The lowest possible value of each unit (n,), or several versions of them (versions, n), such as the values
            by the scores of different raters: each resample and each flip takes the next version.
        high: The highest possible values, in the same shape.
        null: The value that the test is about; None tests nothing.
        resampling: How many resamples and flips, the confidence and the seed.
    """
    drawn = resampling or Resampling()
    lowest, highest = np.atleast_2d(finite(low)), np.atleast_2d(finite(high))
    if lowest.shape != highest.shape or lowest.ndim != 2 or (lowest > highest + 1e-9).any():
        raise TacitError("Each unit needs a low and a high bound, and none may be above the other.")
    n = lowest.shape[1]
    if n == 1:
        return BoundedMean(np.nan, np.nan, np.nan, n)
    means = _resampled_means(np.stack([lowest, highest]), drawn)
    ends = [np.quantile(*pair) for pair in zip(means, percentile_levels(drawn.confidence, n), strict=True)]
    p = np.nan if null is None else 2 * min(_flip_p(highest - null, drawn), _flip_p(null - lowest, drawn))
    return BoundedMean(float(ends[0]), float(ends[1]), float(np.minimum(1.0, p)), n)


def _resampled_means(bounds: Floats, resampling: Resampling) -> Floats:
    """The means of both bounds (2, versions, n) in each resample; resample i takes version i modulo their number."""
    # Residuals keep the means of equal values exact.
    center, (_, versions, n) = bounds[:, 0, 0], bounds.shape
    residuals = bounds - center[:, None, None]
    means, done = [], 0
    for counts in draw_counts(n, resampling.resamples, resampling.seed):
        version = np.arange(done, done + len(counts)) % versions
        means.append(np.einsum("ij,bij->bi", counts, residuals[:, version]) / n)
        done += len(counts)
    return np.asarray(center[:, None] + np.concatenate(means, axis=1))


def _flip_p(versions: Floats, resampling: Resampling) -> float:
    """P(Σ_{flipped u} x_u ≥ 0), each unit flipped by a coin: small where the mean is far below zero.

    Over all patterns and versions when there are no more than `resamples` patterns, otherwise (b + 1) / (m + 1) over
    random ones.
    """
    moving = versions[:, (versions != 0).any(axis=0)]
    units, tolerance = moving.shape[1], 1e-12 * np.abs(versions).sum(axis=1)
    if 2**units <= resampling.resamples:
        counted = [np.mean(flipped @ moving.T >= -tolerance) * len(flipped) for flipped in all_flips(units)]
        return float(np.sum(counted) / 2**units)
    extreme = done = 0
    for flipped in random_flips(units, resampling.resamples, resampling.seed):
        version = np.arange(done, done + len(flipped)) % len(versions)
        sums = np.einsum("ij,ij->i", flipped, moving[version])
        extreme += int(np.sum(sums >= -tolerance[version]))
        done += len(flipped)
    return (extreme + 1) / (resampling.resamples + 1)
