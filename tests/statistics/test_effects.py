"""Cohen's d: worked by hand, against scipy and a plain recomputation."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from scipy import stats

from tacit.statistics import Moments, standardized_difference


def test_cohens_d_by_hand() -> None:
    first, second = Moments.of(np.array([[2.0], [4.0], [6.0]])), Moments.of(np.array([[1.0], [3.0], [5.0]]))
    assert standardized_difference(first, second).tolist() == pytest.approx([0.5])


def test_cohens_d_is_the_t_statistic_without_its_sample_sizes() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(1, 2, (30, 1)), rng.normal(0, 2, (50, 1))
    expected = stats.ttest_ind(a[:, 0], b[:, 0]).statistic * np.sqrt(1 / 30 + 1 / 50)
    assert standardized_difference(Moments.of(a), Moments.of(b))[0] == pytest.approx(expected)


def test_each_column_has_its_own() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(1, 2, (7, 4)), rng.normal(0, 1, (11, 4))
    effects = standardized_difference(Moments.of(first), Moments.of(second))
    for j, effect in enumerate(effects):
        a, b = first[:, j].tolist(), second[:, j].tolist()
        pooled = ((6 * statistics.variance(a) + 10 * statistics.variance(b)) / 16) ** 0.5
        assert effect == pytest.approx((statistics.fmean(a) - statistics.fmean(b)) / pooled)


def test_equal_groups_without_spread_do_not_differ() -> None:
    first, second = Moments.of(np.full((3, 1), 0.3)), Moments.of(np.full((4, 1), 0.3))
    assert standardized_difference(first, second).tolist() == [0.0]
