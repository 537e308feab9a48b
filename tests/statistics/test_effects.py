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


@pytest.mark.parametrize("n", [3, 15, 50, 200, 2_000, 10_000])
@pytest.mark.parametrize("margin", [0.0, 0.1, 0.2, 0.5, 2.0])
def test_every_effect_has_a_p_value_that_falls_as_it_grows(n: int, margin: float) -> None:
    """Scipy's noncentral t is NaN far in its tails: with 200 reviews a class beyond d = 0.87."""
    beyond, within = margin_tests(np.linspace(0, 5, 5_001), n, n, margin)
    for p in (beyond, within):
        assert np.isfinite(p).all()
        assert ((p >= 0) & (p <= 1)).all()
    assert (np.diff(beyond) <= 1e-6).all()
    assert (np.diff(within) >= -1e-6).all()


def test_p_values_where_scipy_fails_lie_between_their_bounds() -> None:
    """P(|T| ≥ t; δ) is at least P(T ≥ t; δ) and at most that plus the central tail."""
    beyond, _ = margin_tests(np.array([0.9, 1.2, 2.0]), 200, 200, 0.2)
    t = np.array([0.9, 1.2, 2.0]) * 10
    upper = stats.nct.sf(t, 398, 2.0)
    assert (beyond >= upper * (1 - 1e-9)).all()
    assert (beyond <= upper + stats.t.sf(t, 398)).all()
