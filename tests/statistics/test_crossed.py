"""Items that cross two sampled units: the variance of both counts, and the interval covers as often as it says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.statistics import crossed_mean


def _design(rng: np.random.Generator, first: int, second: int, each: int) -> tuple[np.ndarray, np.ndarray]:
    chosen = [rng.choice(second, each, replace=False) for _ in range(first)]
    return np.repeat(np.arange(first), each), np.concatenate(chosen)


def test_the_variance_is_that_of_a_plain_recomputation() -> None:
    rng = np.random.default_rng(3)
    first, second = _design(rng, 6, 9, 4)
    values = rng.standard_normal(24) + first
    result = crossed_mean(values, first, second)
    residuals = values - values.mean()
    variances = []
    for units in (first, second, np.arange(24)):
        sums = [sum(residuals[i] for i in range(24) if units[i] == unit) for unit in sorted({*units})]
        variances.append(len(sums) / (len(sums) - 1) * sum(s * s for s in sums) / 24**2)
    error = np.sqrt(max(variances[0] + variances[1] - variances[2], *variances[:2]))
    reach = stats.t.ppf(0.975, 5) * error
    assert result.interval.low == pytest.approx(values.mean() - reach)
    assert result.interval.high == pytest.approx(values.mean() + reach)
    assert result.p == pytest.approx(2 * stats.t.sf(abs(values.mean()) / error, 5))
    assert result.units == (6, len({*second}))


@pytest.mark.parametrize(
    ("units", "spread"),
    [((24, 200, 40), (0.3, 0.3, 1.0)), ((24, 200, 40), (1.0, 1.0, 1.0)), ((12, 60, 20), (0.5, 0.5, 1.0))],
)
def test_the_interval_covers_as_often_as_it_says(
    units: tuple[int, int, int], spread: tuple[float, float, float]
) -> None:
    rng = np.random.default_rng(5)
    covered = rejected = 0
    for _ in range(800):
        first, second = _design(rng, *units)
        values = spread[0] * rng.standard_normal(units[0])[first] + spread[1] * rng.standard_normal(units[1])[second]
        result = crossed_mean(values + spread[2] * rng.standard_normal(first.size), first, second)
        covered += result.interval.low <= 0 <= result.interval.high
        rejected += result.p < 0.05
    assert 0.93 <= covered / 800 <= 0.97
    assert rejected == 800 - covered


def test_pairs_taken_as_independent_would_find_too_much() -> None:
    """What the crossed interval is for: the naive interval of the same data misses the truth far too often."""
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(400):
        first, second = _design(rng, 24, 200, 40)
        values = 0.3 * rng.standard_normal(24)[first] + rng.standard_normal(first.size)
        missed += stats.ttest_1samp(values, 0).pvalue < 0.05
        assert crossed_mean(values, first, second).interval.n == 24
    assert missed / 400 > 0.2


def test_one_unit_has_no_interval_and_equal_values_have_one_of_no_width() -> None:
    assert np.isnan(crossed_mean([1.0, 2.0], ["a", "a"], ["x", "y"]).interval.low)
    equal = crossed_mean([2.0] * 4, ["a", "a", "b", "b"], ["x", "y", "x", "y"])
    assert (equal.interval.low, equal.interval.high, equal.p) == (2.0, 2.0, 0.5)
    assert crossed_mean([0.0] * 4, ["a", "a", "b", "b"], ["x", "y", "x", "y"]).p == 1.0
