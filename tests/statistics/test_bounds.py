"""Means of values that are known within bounds: the usual interval and test, made wider by what is unknown."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tacit.errors import TacitError
from tacit.statistics import Resampling, bootstrap, bounded_mean, sign_flip_test

FAST = Resampling(resamples=2000, confidence=0.95, seed=0)


@pytest.fixture
def values() -> np.ndarray:
    return np.random.default_rng(1).normal(0.3, 1, size=10)


def test_without_bounds_it_is_the_bootstrap_and_the_sign_flip_test(values: np.ndarray) -> None:
    found, interval = bounded_mean(values, values, resampling=FAST), bootstrap(values, resamples=2000)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.p == pytest.approx(sign_flip_test(values, resamples=2000).p)
    assert found.n == 10


def test_many_units_are_flipped_at_random_to_the_same_p() -> None:
    many = np.random.default_rng(2).normal(0.25, 1, size=60)
    exact = sign_flip_test(many, resamples=200_000).p
    assert bounded_mean(many, many, resampling=Resampling(20_000)).p == pytest.approx(exact, abs=0.01)


def test_p_by_hand(values: np.ndarray) -> None:
    """Every pattern of signs, one by one."""
    low, high = values - 0.2, values + 0.1
    below = above = 0
    for signs in product((-1, 1), repeat=len(values)):
        below += np.dot(signs, high) <= high.sum() + 1e-12
        above += np.dot(signs, low) >= low.sum() - 1e-12
    expected = min(1.0, 2 * min(below, above) / 2 ** len(values))
    assert bounded_mean(low, high, resampling=FAST).p == pytest.approx(expected)


def test_the_interval_by_hand() -> None:
    low, high = np.array([0.0, -1.0, 0.5]), np.array([0.0, 1.0, 0.5])
    found = bounded_mean(low, high, resampling=Resampling(50_000, 0.9))
    means = [(np.mean(low[list(drawn)]), np.mean(high[list(drawn)])) for drawn in product(range(3), repeat=3)]
    assert found.low == pytest.approx(min(mean for mean, _ in means))
    assert found.high == pytest.approx(max(mean for _, mean in means))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_values_are_p_is_no_smaller_and_the_interval_no_wider(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.normal(0.4, 1, size=9)
    high = low + rng.exponential(0.3, size=9)
    bounded = bounded_mean(low, high, resampling=FAST)
    true = rng.uniform(low, high)
    known = bounded_mean(true, true, resampling=FAST)
    assert bounded.p >= known.p - 1e-12
    assert bounded.low <= known.low
    assert known.high <= bounded.high


def test_the_null_value_is_a_setting_and_can_be_left_out(values: np.ndarray) -> None:
    shifted = bounded_mean(values + 3, values + 3, null=3, resampling=FAST)
    assert shifted.p == pytest.approx(bounded_mean(values, values, resampling=FAST).p)
    assert np.isnan(bounded_mean(values, values, null=None, resampling=FAST).p)


def test_versions_are_averaged_in_p_and_span_the_interval() -> None:
    a, b = np.full(8, -0.5), np.full(8, 0.1)
    both = bounded_mean(np.stack([a, b]), np.stack([a, b]), resampling=FAST)
    assert (both.low, both.high) == pytest.approx((-0.5, 0.1))
    # By the scores of the one a mean below zero is as sure as it can be; by the other it is out of the question.
    assert both.p == pytest.approx(min(1, 2 * (2**-8 + 1) / 2))
    assert bounded_mean(a, a, resampling=FAST).p == pytest.approx(2 * 2**-8)


def test_equal_values_have_no_width_and_one_unit_has_no_interval() -> None:
    same = bounded_mean([0.1, 0.1, 0.1], [0.1, 0.1, 0.1], resampling=FAST)
    assert same.low == same.high == 0.1
    one = bounded_mean([0.1], [0.2], resampling=FAST)
    assert np.isnan([one.low, one.high, one.p]).all()
    assert one.n == 1


@pytest.mark.parametrize(("low", "high"), [([1.0, 2.0], [1.0]), ([2.0, 1.0], [1.0, 1.0])])
def test_bounds_that_do_not_fit_are_refused(low: list[float], high: list[float]) -> None:
    with pytest.raises(TacitError, match="a low and a high bound"):
        bounded_mean(low, high)
