"""Shares keep an interval where a bootstrap has none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from tacit.errors import TacitError
from tacit.statistics import Resampling, bootstrap, mean_interval, share_interval


@pytest.mark.parametrize(("ones", "n"), [(0, 40), (40, 40), (1, 40), (13, 31), (500, 1000), (1, 1)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_it_is_scipys_wilson_interval(ones: int, n: int, confidence: float) -> None:
    found = share_interval([1] * ones + [0] * (n - ones), confidence=confidence)
    expected = binomtest(ones, n).proportion_ci(confidence, method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (found.value, found.n) == (ones / n, n)


def test_none_of_forty_is_no_certainty() -> None:
    assert share_interval(np.zeros(40, dtype=bool)).high == pytest.approx(1.959964**2 / (40 + 1.959964**2), abs=1e-6)


def test_a_95_percent_interval_covers_the_truth() -> None:
    drawn = np.random.default_rng(3).random((4000, 60)) < 0.08
    found = [share_interval(row) for row in drawn]
    assert 0.93 < np.mean([each.low <= 0.08 <= each.high for each in found]) < 0.975


def test_swapping_ones_and_zeros_mirrors_the_interval() -> None:
    values = np.array([1, 0, 0, 1, 1, 0, 0, 0])
    one, other = share_interval(values), share_interval(1 - values)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(TacitError, match="zeros and ones"):
        share_interval([0, 0.5, 1])
    with pytest.raises(TacitError):
        share_interval([])


@pytest.mark.parametrize("n", [3, 24, 20, 1000])
def test_the_ends_of_none_and_of_all_are_exact(n: int) -> None:
    assert share_interval([0] * n).low == 0.0
    assert share_interval([1] * n).high == 1.0
    assert share_interval([0] * n).high > 0


def test_the_mean_of_booleans_is_a_share_and_of_numbers_a_bootstrap() -> None:
    resampling = Resampling(resamples=300, confidence=0.9, seed=4)
    flags = np.arange(20) < 5
    assert mean_interval(flags, resampling) == share_interval(flags, confidence=0.9)
    numbers = np.arange(20.0) ** 2
    assert mean_interval(numbers, resampling) == bootstrap(numbers, resamples=300, confidence=0.9, seed=4)
