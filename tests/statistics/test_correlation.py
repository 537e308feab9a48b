"""Correlation: against scipy, against plain loops on the same draws, and its degenerate cases."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import correlation, spearman_interval
from tacit.statistics.correlation import Kind
from tacit.statistics.resampling import draw_units
from tests.statistics.test_intervals import widened

KINDS = pytest.mark.parametrize(("kind", "theirs"), [("spearman", stats.spearmanr), ("pearson", stats.pearsonr)])
RNG = np.random.default_rng(1)
X = RNG.integers(0, 6, size=30).astype(float)
Y = 0.3 * X + RNG.integers(0, 4, size=30)
pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=25)


@KINDS
@given(points=pairs)
@settings(max_examples=60, deadline=None)
def test_value_is_scipys_with_ties(kind: Kind, theirs: object, points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    assert correlation(x, y, kind, resamples=2).value == pytest.approx(theirs(x, y).statistic)  # type: ignore[operator]


@KINDS
def test_interval_ranks_each_resample_anew(kind: Kind, theirs: object) -> None:
    drawn = np.concatenate(list(draw_units(30, 200, seed=0)))
    plain = np.quantile([theirs(X[row], Y[row]).statistic for row in drawn], widened(len(X)))  # type: ignore[operator]
    ours = correlation(X, Y, kind, resamples=200)
    assert (ours.low, ours.high) == pytest.approx(tuple(plain))
    assert (ours.n, ours.kind, ours.confidence, ours.undefined) == (30, kind, 0.95, 0)


@KINDS
def test_bca_interval_is_scipys_within_chance(kind: Kind, theirs: object) -> None:
    ours = correlation(X, Y, kind, method="bca")
    reference = stats.bootstrap(
        (X, Y),
        lambda x, y: theirs(x, y).statistic,
        paired=True,
        n_resamples=2000,
        rng=1,  # type: ignore[operator]
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((reference.low, reference.high), abs=0.03)


@KINDS
def test_small_p_is_counted_over_all_pairings(kind: Kind, theirs: object) -> None:
    x, y = np.array([1, 2, 2, 4, 7.0]), np.array([2, 1, 3, 3, 9.0])
    everything = [abs(theirs(x, np.array(order)).statistic) for order in permutations(y)]  # type: ignore[operator]
    expected = np.mean(np.array(everything) >= everything[0] - 1e-9)
    assert correlation(x, y, kind).p == pytest.approx(expected)


@KINDS
def test_large_p_approaches_scipys(kind: Kind, theirs: object) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 200))
    assert correlation(x, y, kind).p == pytest.approx(theirs(x, y).pvalue, abs=0.02)  # type: ignore[operator]
    assert correlation(x, x + 0.1 * y, kind, resamples=999).p == pytest.approx(1 / 1000)


@given(pairs)
@settings(max_examples=40, deadline=None)
def test_spearman_sees_only_the_order(points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    ours, bent = correlation(x, y, resamples=50), correlation(np.exp(x), y**3, resamples=50)
    assert (ours.value, ours.p) == pytest.approx((bent.value, bent.p))
    assert (ours.low, ours.high) == pytest.approx((bent.low, bent.high), nan_ok=True)


@given(pairs, st.sampled_from(["spearman", "pearson"]))
@settings(max_examples=40, deadline=None)
def test_correlation_is_symmetric_and_within_one(points: list[tuple[int, int]], kind: Kind) -> None:
    x, y = np.array(points, dtype=float).T
    ours, turned = correlation(x, y, kind, resamples=50), correlation(y, x, kind, resamples=50)
    assert ours.value == pytest.approx(turned.value, nan_ok=True)
    if not np.isnan(ours.low):
        assert -1 <= ours.low <= ours.high <= 1


@pytest.mark.parametrize("kind", ["spearman", "pearson"])
def test_constant_side_has_no_correlation(kind: Kind) -> None:
    ours = correlation([0.1] * 6, [1, 2, 3, 4, 5, 6], kind)
    assert np.isnan([ours.value, ours.low, ours.high, ours.p]).all()


def test_two_pairs_always_correlate_so_they_have_no_interval() -> None:
    ours = correlation([1, 2], [3, 5])
    assert (ours.value, ours.p) == (pytest.approx(1), 1)
    assert np.isnan([ours.low, ours.high]).all()


@pytest.mark.parametrize("kind", ["spearman", "pearson"])
def test_resamples_of_one_pair_are_left_out_and_counted(kind: Kind) -> None:
    ours = correlation([0.1, 0.2, 0.7], [0.3, 0.1, 0.9], kind, resamples=2700)
    assert ours.undefined == pytest.approx(2700 / 9, abs=80)


@pytest.mark.parametrize("kind", ["spearman", "pearson"])
def test_resamples_with_one_constant_side_are_all_noticed(kind: Kind) -> None:
    x, y = np.array([0.1] * 6 + [0.7]), np.array([0.3, 0.1, 0.9, 0.4, 0.35, 0.77, 0.2])
    drawn = np.concatenate(list(draw_units(7, 500, seed=0)))
    constant = [np.ptp(x[row]) == 0 or np.ptp(y[row]) == 0 for row in drawn]
    assert correlation(x, y, kind, resamples=500).undefined == sum(constant)
    assert correlation(y, x, kind, resamples=500).undefined == sum(constant)


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(TacitError, match="no correlation 'kendall'"):
        correlation(X, Y, "kendall")  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "rho"), [(12, 0.0), (20, 0.5), (58, 0.3)])
def test_the_interval_of_few_pairs_covers_as_often_as_it_says(n: int, rho: float) -> None:
    rng = np.random.default_rng(11)
    x = rng.standard_normal((1000, n))
    y = rho * x + np.sqrt(1 - rho**2) * rng.standard_normal((1000, n))
    values = [float(stats.spearmanr(a, b).statistic) for a, b in zip(x, y, strict=True)]
    truth = 6 / np.pi * np.arcsin(rho / 2)
    intervals = [spearman_interval(value, n) for value in values]
    covered = np.mean([interval.low <= truth <= interval.high for interval in intervals])
    assert 0.93 <= covered <= 0.975


def test_a_perfect_correlation_keeps_a_width_and_three_pairs_have_none() -> None:
    perfect = spearman_interval(1.0, 10)
    assert perfect.low < 0.99
    assert perfect.high == 1.0
    assert np.isnan(spearman_interval(1.0, 3).low)
