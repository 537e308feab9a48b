"""Cohen's d: worked by hand, against scipy and a plain recomputation."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from scipy import stats

from tacit.statistics import Moments, margin_tests, standardized_difference


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


def test_margin_tests_are_exact_at_the_margin() -> None:
    rng = np.random.default_rng(6)
    first, second = rng.normal(0.2, 1, (40, 4000)), rng.normal(0, 1, (60, 4000))
    effect = standardized_difference(Moments.of(first), Moments.of(second))
    beyond, within = margin_tests(effect, 40, 60, 0.2)
    assert np.mean(beyond < 0.05) == pytest.approx(0.05, abs=0.012)
    assert np.mean(within < 0.05) <= 0.06


def test_without_a_margin_the_test_is_the_t_test() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.normal(1, 2, (9, 1)), rng.normal(0, 2, (12, 1))
    beyond, _ = margin_tests(standardized_difference(Moments.of(a), Moments.of(b)), 9, 12, 0.0)
    assert beyond[0] == pytest.approx(stats.ttest_ind(a[:, 0], b[:, 0]).pvalue)


def test_an_infinite_effect_is_beyond_any_margin() -> None:
    beyond, within = margin_tests(np.array([np.inf, 0.0]), 10, 10, 0.2)
    assert beyond[0] < 1e-12 < within[0]
    assert beyond[1] > 0.5 > within[1]
