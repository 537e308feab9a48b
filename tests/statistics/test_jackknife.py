"""The jackknife interval: exact for a mean, right for skewed statistics, and absent where it is undefined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import bootstrap, jackknife_interval

Floats = npt.NDArray[np.float64]


def _left_out(sample: Floats, statistic: Callable[[Floats], float]) -> list[float]:
    return [statistic(np.delete(sample, i)) for i in range(len(sample))]


def test_of_a_mean_it_is_students_interval() -> None:
    sample = np.array([1.0, 2.0, 4.0, 4.5, 6.5, 7.0])
    result = jackknife_interval(float(sample.mean()), _left_out(sample, np.mean))
    expected = stats.t.interval(0.95, 5, sample.mean(), stats.sem(sample))
    # These values have short tails, so nothing is taken off the degrees of freedom.
    assert (result.low, result.high) == pytest.approx(expected)
    assert result.p == pytest.approx(stats.ttest_1samp(sample, 0).pvalue)
    assert result.n == 6


def test_long_tails_cost_degrees_of_freedom() -> None:
    sample = np.array([0.0] * 19 + [10.0])
    result = jackknife_interval(float(sample.mean()), _left_out(sample, np.mean))
    kurtosis = float(stats.kurtosis(sample, fisher=False))
    assert result.degrees == pytest.approx(2 * 20 / (kurtosis - 1))
    assert result.degrees < 3


def test_it_agrees_with_a_plain_recomputation_on_the_log_scale() -> None:
    sample = np.random.default_rng(1).normal(size=12)
    without = _left_out(sample, np.std)
    result = jackknife_interval(float(sample.std()), without, positive=True, n=40, confidence=0.9)
    pseudo = [12 * np.log(sample.std()) - 11 * np.log(value) for value in without]
    center = sum(pseudo) / 12
    squares = [(value - center) ** 2 for value in pseudo]
    error = np.sqrt(sum(squares) / (12 * 11))
    kurtosis = 12 * sum(square**2 for square in squares) / sum(squares) ** 2
    reach = stats.t.ppf(0.95, min(11, 24 / (kurtosis - 1))) * error
    assert (result.low, result.high) == pytest.approx(tuple(np.exp([center - reach, center + reach])))
    assert (result.n, result.error) == (40, pytest.approx(error))
    assert np.isnan(result.p)


def _coverage(interval: Callable[[Floats], tuple[float, float]], truth: float, units: int, sets: int) -> float:
    draw = np.random.default_rng(3)
    ends = [interval(draw.normal(size=units) * np.exp(draw.normal(0, 0.3, units))) for _ in range(sets)]
    return float(np.mean([low <= truth <= high for low, high in ends]))


def test_a_spread_is_covered_as_often_as_stated() -> None:
    """A standard deviation of 40 values with long tails; the percentile bootstrap of the same data misses too often."""
    truth = float(np.exp(0.09))  # the root of E[exp(2 s)] for s of variance .09

    def jackknife(sample: Floats) -> tuple[float, float]:
        without = _left_out(sample, lambda x: float(x.std(ddof=1)))
        result = jackknife_interval(float(sample.std(ddof=1)), without, positive=True)
        return result.low, result.high

    def percentile(sample: Floats) -> tuple[float, float]:
        result = bootstrap(sample, lambda x: x.std(axis=1, ddof=1), resamples=400)
        return result.low, result.high

    assert 0.93 <= _coverage(jackknife, truth, 40, 600) <= 0.97
    assert _coverage(percentile, truth, 40, 600) < 0.925


def test_where_it_is_undefined_there_is_no_interval() -> None:
    assert np.isnan(jackknife_interval(1.0, [1.0, np.nan, 1.1]).low)
    assert jackknife_interval(1.0, [1.0, np.nan, 1.1]).undefined == 1
    assert np.isnan(jackknife_interval(1.0, []).high)
    assert np.isnan(jackknife_interval(np.nan, [1.0, 2.0]).low)
    with pytest.raises(TacitError, match="2 dimensions"):
        jackknife_interval(1.0, [[1.0, 2.0]])


def test_a_statistic_that_no_part_changes_has_no_width() -> None:
    result = jackknife_interval(0.5, [0.5, 0.5, 0.5], positive=True)
    assert (result.low, result.high, result.error) == (0.5, 0.5, 0.0)


def test_a_positive_statistic_stays_positive() -> None:
    assert jackknife_interval(0.1, [0.0, 0.3, 0.05], positive=True).low == 0.0
    assert jackknife_interval(0.1, [0.01, 0.3, 0.05], positive=True).low > 0.0
