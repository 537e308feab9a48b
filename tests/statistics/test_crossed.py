"""Items that cross two sampled units: the variance of both counts, and the interval covers as often as it says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import crossed_mean, crossed_share, share_interval


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


def test_a_share_of_crossed_items_is_wilsons_for_as_many_independent_items() -> None:
    rng = np.random.default_rng(4)
    first, second = _design(rng, 12, 60, 20)
    values = (rng.standard_normal(12)[first] + rng.standard_normal(first.size) > 0.8).astype(float)
    share, mean = crossed_share(values, first, second, null=0.5), crossed_mean(values, first, second)
    p, t = values.mean(), stats.t.ppf(0.975, 11)
    error = (mean.interval.high - p) / t
    k = t**2 * error**2 / (p * (1 - p))
    ends = [(p + k / 2 + sign * np.sqrt(p * (1 - p) * k + k**2 / 4)) / (1 + k) for sign in (-1, 1)]
    assert [share.interval.low, share.interval.high] == pytest.approx(ends)
    on_edge = crossed_share(values, first, second, null=ends[1])
    assert on_edge.p == pytest.approx(0.05), "the p-value inverts the interval"


def test_a_share_of_independent_items_is_hardly_wider_than_wilsons() -> None:
    values = np.repeat([1.0, 0.0], [30, 90])
    crossed = crossed_share(values, range(120), range(120)).interval
    plain = share_interval(values)
    assert crossed.low == pytest.approx(plain.low, abs=0.003)
    assert crossed.high == pytest.approx(plain.high, abs=0.003)


def test_a_share_of_nothing_is_not_certain_and_ends_exactly_at_zero() -> None:
    first, second = np.repeat(np.arange(24), 40), np.tile(np.arange(40), 24)
    none = crossed_share(np.zeros(960), first, second)
    assert none.interval.low == 0.0
    assert 0.13 < none.interval.high < 0.17, "24 adverbs, not 960 sentences"
    assert crossed_share(np.ones(960), first, second).interval.high == 1.0
    with pytest.raises(TacitError, match="between 0 and 1"):
        crossed_share([0.5, 2.0], [0, 1], [0, 1])


@pytest.mark.parametrize("lean", [0.0, -1.0])
def test_the_interval_of_a_share_covers_as_often_as_it_says(lean: float) -> None:
    """24 adverbs with 40 sentences each, over 590 adjectives, with the spread that real models show."""
    rng = np.random.default_rng(6)
    truth = stats.norm.cdf(lean / np.sqrt(1.35**2 + 1.0))
    covered = 0
    for _ in range(800):
        first, second = _design(rng, 24, 590, 40)
        noise = 0.45 * rng.standard_normal(590)[second] + np.sqrt(0.8) * rng.standard_normal(960)
        values = (lean + 1.35 * rng.standard_normal(24)[first] + noise > 0).astype(float)
        interval = crossed_share(values, first, second).interval
        covered += interval.low <= truth <= interval.high
    assert 0.93 <= covered / 800 <= 0.97
