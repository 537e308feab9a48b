"""Intervals of two groups: each group is resampled on its own, and the stated confidence holds in simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.statistics import (
    Moments,
    Resampling,
    auc_interval,
    percentile_levels,
    standardized_difference,
    two_class_intervals,
)
from tacit.statistics.resampling import draw_units

RESAMPLING = Resampling(resamples=400, seed=3)


def difference(first: Moments, second: Moments) -> np.ndarray:
    return first.mean - second.mean


def test_the_interval_is_that_of_two_resamplings_written_out() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(5, 1, (12, 2)), rng.normal(4, 3, (9, 2))
    low, high = two_class_intervals(first, second, standardized_difference, RESAMPLING)
    draws = zip(*(np.concatenate(list(draw_units(n, 400, seed))) for n, seed in ((12, 3), (9, 4))), strict=True)
    effects = [standardized_difference(Moments.of(first[a]), Moments.of(second[b])) for a, b in draws]
    expected = np.quantile(effects, percentile_levels(0.95, 9), axis=0)
    assert [low, high] == [pytest.approx(ends) for ends in expected]


def test_a_column_does_not_depend_on_its_neighbors() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(size=(8, 600)), rng.normal(size=(8, 600))
    together = two_class_intervals(first, second, difference, RESAMPLING)
    alone = two_class_intervals(first[:, 300:301], second[:, 300:301], difference, RESAMPLING)
    assert (together[0][300], together[1][300]) == pytest.approx((alone[0][0], alone[1][0]))


def test_variances_far_from_zero_are_accurate() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(10, 1)), rng.normal(size=(10, 1))
    near = two_class_intervals(first, second, standardized_difference, RESAMPLING)
    far = two_class_intervals(first + 1e7, second + 1e7, standardized_difference, RESAMPLING)
    assert np.array(far) == pytest.approx(np.array(near), rel=1e-6)


def test_intervals_of_a_difference_cover_the_truth() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(1, 1, (60, 500)), rng.normal(0, 2, (80, 500))
    low, high = two_class_intervals(first, second, difference, RESAMPLING)
    assert 0.91 < np.mean((low <= 1) & (high >= 1)) < 0.98


def test_complete_separation_keeps_a_width() -> None:
    interval = auc_interval(1.0, 10, 10)
    assert 0.7 < interval.low < 0.95
    assert interval.high == 1.0
    assert auc_interval(0.0, 10, 10).high == pytest.approx(1 - interval.low, abs=1e-3)


@pytest.mark.parametrize(("gap", "n"), [(0.0, 15), (0.5, 40), (1.5, 20)])
def test_the_interval_of_an_auc_covers_the_truth(gap: float, n: int) -> None:
    rng = np.random.default_rng(5)
    truth, covered = stats.norm.cdf(gap / np.sqrt(2)), []
    for _ in range(600):
        above = rng.normal(gap, 1, n)[:, None] > rng.normal(0, 1, n)[None, :]
        interval = auc_interval(float(above.mean()), n, n)
        covered.append(interval.low <= truth <= interval.high)
    assert 0.925 < np.mean(covered) < 0.985
