"""Intervals of two groups: each group is resampled on its own, and the stated confidence holds in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.statistics import Moments, Resampling, pair_interval, standardized_difference, two_class_intervals
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
    expected = np.quantile(effects, [0.025, 0.975], axis=0)
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


def test_pairs_that_all_agree_have_an_interval_of_no_width() -> None:
    assert pair_interval(np.ones((6, 4)), RESAMPLING) == (1.0, 1.0)


def test_the_pair_interval_resamples_rows_and_columns() -> None:
    rng = np.random.default_rng(5)
    pairs = (rng.normal(1, 1, 10)[:, None] > rng.normal(0, 1, 7)[None, :]).astype(float)
    rows, columns = (np.concatenate(list(draw_units(n, 400, seed))) for n, seed in ((10, 3), (7, 4)))
    means = [pairs[np.ix_(a, b)].mean() for a, b in zip(rows, columns, strict=True)]
    assert pair_interval(pairs, RESAMPLING) == pytest.approx(np.quantile(means, [0.025, 0.975]))
