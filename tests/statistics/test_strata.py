"""Means of strata: Welch's test for single items, both roles of a unit for pairs, and Fieller's ratio."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import StrataMean, mean_of_strata, ratio_interval


def _pairs(
    rng: np.random.Generator, items: int, others: int, spread: tuple[float, float, float], shared: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Values of items of two strata, each with the first `others` units of the other stratum."""
    own = rng.standard_normal((2, items))
    named = shared * own + np.sqrt(1 - shared**2) * rng.standard_normal((2, items))
    group, item, other = (axis.ravel() for axis in np.indices((2, items, others)))
    noise = spread[2] * rng.standard_normal(group.size)
    values = spread[0] * own[group, item] + spread[1] * named[1 - group, other] + noise
    return values, group, group * items + item, (1 - group) * items + other


def test_for_single_items_it_is_welch_s_test() -> None:
    rng = np.random.default_rng(1)
    women, men = rng.normal(0.4, 1.0, 12), rng.normal(0.0, 3.0, 7)
    mean = mean_of_strata(np.concatenate([women, -men]), ["f"] * 12 + ["m"] * 7, range(19))
    welch = stats.ttest_ind(women, men, equal_var=False)
    assert mean.value == pytest.approx((women.mean() - men.mean()) / 2)
    assert (mean.p, mean.df) == pytest.approx((welch.pvalue, welch.df))
    ends = welch.confidence_interval()
    interval = mean.interval()
    assert (2 * interval.low, 2 * interval.high) == pytest.approx((ends.low, ends.high))


def test_strata_count_alike_however_many_items_they_have() -> None:
    assert mean_of_strata([1.0, 1.0, 1.0, 0.0, 0.0], [0, 0, 0, 1, 1], range(5)).value == 0.5


def test_the_variance_of_pairs_is_that_of_a_plain_recomputation() -> None:
    rng = np.random.default_rng(2)
    values, group, item, other = _pairs(rng, 5, 3, (1.0, 0.7, 0.5), shared=0.5)
    centered = [value - values[group == code].mean() for value, code in zip(values, group, strict=True)]
    residuals = [np.sqrt(3 / 2) * value / (2 * 15) for value in centered]
    numbers = range(values.size)
    total = 0.0
    for i in numbers:
        for j in numbers:
            if {item[i], other[i]} & {item[j], other[j]}:
                total += residuals[i] * residuals[j]
    alone = [
        sum(sum(residuals[i] for i in numbers if role[i] == unit) ** 2 for unit in {*role.tolist()})
        for role in (item, other)
    ]
    mean = mean_of_strata(values, group, item, other)
    assert mean.error == pytest.approx(np.sqrt(max(total, *alone)))
    assert mean.n == 10


@pytest.mark.parametrize(
    ("items", "others", "spread", "shared"),
    [
        (10, 5, (1.0, 1.0, 0.5), 0.4),
        (10, 5, (0.2, 1.0, 0.2), 0.0),
        (20, 20, (1.0, 1.0, 0.5), -0.4),
        (8, 8, (1.0, 0.2, 1.0), 0.0),
    ],
)
def test_the_interval_covers_as_often_as_it_says(
    items: int, others: int, spread: tuple[float, float, float], shared: float
) -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(300):
        interval = mean_of_strata(*_pairs(rng, items, others, spread, shared)).interval()
        covered += interval.low <= 0 <= interval.high
    assert 0.925 <= covered / 300 <= 0.98


@pytest.mark.parametrize(("size", "spread"), [(8, 0.4), (10, 0.75), (29, 0.75)])
def test_the_skewed_interval_covers_probabilities_that_few_units_dominate(size: int, spread: float) -> None:
    rng = np.random.default_rng(6)
    strata, units, truth = [0] * size + [1] * size, range(2 * size), np.exp(spread**2 / 2)
    plain = skewed = 0
    for _ in range(1500):
        mean = mean_of_strata(np.exp(rng.normal(0, spread, 2 * size)), strata, units)
        plain += mean.interval().low <= truth <= mean.interval().high
        skewed += mean.skewed_interval().low <= truth <= mean.skewed_interval().high
    assert skewed > plain
    assert 0.92 <= skewed / 1500 <= 0.965


def test_the_skewed_interval_is_where_hall_s_transformed_t_is_not_extreme() -> None:
    mean = StrataMean(1.0, 0.2, 12.0, 14, skewness=0.5)
    t = mean.quantile(0.95)

    def transformed(truth: float) -> float:
        x = (mean.value - truth) / mean.error
        return x + 0.5 * x**2 / 3 + 0.25 * x**3 / 27 + 0.5 / 6

    interval = mean.skewed_interval()
    assert (transformed(interval.low), transformed(interval.high)) == pytest.approx((t, -t))
    assert StrataMean(1.0, 0.2, 12.0, 14).skewed_interval() == StrataMean(1.0, 0.2, 12.0, 14).interval()


def test_taking_the_named_units_as_given_would_cover_far_too_rarely() -> None:
    """What the second role is for: items asked about with the same backgrounds err together."""
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        values, group, item, _ = _pairs(rng, 10, 5, (0.3, 1.0, 0.3))
        interval = mean_of_strata(values, group, item).interval()
        covered += interval.low <= 0 <= interval.high
    assert covered / 200 < 0.6


def test_equal_values_have_no_spread_although_their_mean_is_rounded() -> None:
    mean = mean_of_strata([0.1] * 3 + [0.7] * 3, [0] * 3 + [1] * 3, range(6))
    assert (mean.error, mean.p) == (0.0, 2.0**-5)
    assert mean_of_strata([0.0] * 6, [0] * 3 + [1] * 3, range(6)).p == 1.0


def test_a_stratum_of_one_unit_has_no_error_and_missing_labels_are_refused() -> None:
    assert np.isnan(mean_of_strata([1.0, 2.0, 3.0], [0, 0, 1], range(3)).error)
    with pytest.raises(TacitError, match="labels"):
        mean_of_strata([1.0, 2.0], [0], range(2))


def test_fieller_s_ends_are_the_ratios_that_a_test_does_not_reject() -> None:
    rng = np.random.default_rng(5)
    strata, units = [0] * 15 + [1] * 15, range(30)
    bottom = rng.normal(1.0, 0.8, 30)
    top = 0.5 * bottom + rng.normal(0, 0.5, 30)
    means = [mean_of_strata(values, strata, units) for values in (top, bottom, top - bottom)]
    interval = ratio_interval(*means)
    t = min(means, key=lambda mean: mean.df).quantile(0.95)

    def accepted(ratio: float) -> bool:
        mean = mean_of_strata(top - ratio * bottom, strata, units)
        return abs(mean.value) <= t * mean.error

    grid = np.linspace(-2, 4, 6001)
    inside = grid[[accepted(ratio) for ratio in grid]]
    assert interval.value == pytest.approx(means[0].value / means[1].value)
    assert (interval.low, interval.high) == pytest.approx((inside[0], inside[-1]), abs=1e-3)


def test_a_ratio_to_what_may_be_zero_has_no_interval() -> None:
    small, other = StrataMean(0.1, 0.2, 20.0, 30), StrataMean(1.0, 0.1, 20.0, 30)
    assert np.isnan(ratio_interval(other, small, other).low)
