"""Confidence sequences: the bets are fair, the bounds are those of the wealth, and the stated error holds."""

from __future__ import annotations

from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from tacit.statistics import (
    Stratum,
    confidence_sequence,
    decide_by_margin,
    log_wealth,
    stratified_interval,
    stratified_mean,
    wilson_interval,
)


def drawn(share: float, times: int, n: int, seed: int) -> np.ndarray:
    """Running totals of coins with this share of ones (times, n)."""
    return (np.random.default_rng(seed).random((times, n)) < share).cumsum(axis=1).astype(float)


def test_wealth_starts_at_one() -> None:
    assert exp(log_wealth(0.0, 0, 0.4)) == 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_betting_against_the_truth_is_a_fair_game_for_coins(share: float) -> None:
    """The mean wealth over all sequences of five coins is exactly 1."""
    outcomes = [
        (sum(coins), share ** sum(coins) * (1 - share) ** (5 - sum(coins))) for coins in product((0, 1), repeat=5)
    ]
    assert sum(chance * exp(log_wealth(total, 5, share)) for total, chance in outcomes) == pytest.approx(1)


def test_betting_against_the_truth_does_not_pay_for_values_between_zero_and_one() -> None:
    values = np.random.default_rng(1).beta(2, 3, (4_000, 40))
    assert np.exp(log_wealth(values.sum(axis=1), 40, 0.4)).mean() <= 1


def test_betting_against_a_falsehood_wins_in_the_long_run() -> None:
    assert (log_wealth(drawn(0.4, 50, 100, 1)[:, -1], 100, 0.1) > 5).all()


def test_log_wealth_is_the_mixture_written_out() -> None:
    values, m = [0.0, 1.0, 0.25, 0.0, 0.5], 0.3

    def integrand(theta: float) -> float:
        stakes = np.prod([(theta / m) ** x * ((1 - theta) / (1 - m)) ** (1 - x) for x in values])
        return float(stakes * stats.beta.pdf(theta, 0.25, 0.75))

    expected, _ = integrate.quad(integrand, 0, 1)
    assert exp(log_wealth(sum(values), 5, m)) == pytest.approx(expected, rel=1e-4)


@given(st.integers(1, 50), st.floats(0, 1))
def test_log_wealth_is_convex_in_the_candidate_and_least_at_the_mean(n: int, share: float) -> None:
    grid = np.linspace(0.001, 0.999, 401)
    wealth = log_wealth(share * n, n, grid)
    assert (np.diff(wealth, 2) > -1e-9).all()
    assert abs(grid[wealth.argmin()] - share) < 0.004


def test_nothing_drawn_leaves_everything_possible() -> None:
    low, high = confidence_sequence([Stratum(np.zeros(1), 0, 0.6), Stratum(np.zeros(1), 0, -0.4)], 0.05)
    assert (low[0], high[0]) == pytest.approx((-0.4, 0.6))


@pytest.mark.parametrize(("total", "n"), [(0.0, 30), (3.0, 40), (17.5, 40), (40.0, 40)])
def test_bounds_of_one_stratum_are_where_the_wealth_reaches_one_over_alpha(total: float, n: int) -> None:
    low, high = confidence_sequence([Stratum(np.array([total]), n, 1.0)], 0.01)
    grid = np.linspace(1e-6, 1 - 1e-6, 100_001)
    inside = grid[log_wealth(total, n, grid) <= log(100)]
    assert low[0] == pytest.approx(inside.min(), abs=1e-3)
    assert high[0] == pytest.approx(inside.max(), abs=1e-3)
    assert low[0] <= inside.min() + 1e-5
    assert high[0] >= inside.max() - 1e-5


def test_bounds_of_two_strata_are_the_extremes_over_all_pairs_of_means() -> None:
    grid = np.linspace(1e-4, 1 - 1e-4, 800)
    wealth = log_wealth(4.0, 60, grid)[:, None] + log_wealth(1.5, 50, grid)[None]
    targets = (0.6 * grid[:, None] - 0.4 * grid[None])[wealth <= log(1000)]
    low, high = confidence_sequence([Stratum(np.array([4.0]), 60, 0.6), Stratum(np.array([1.5]), 50, -0.4)], 0.001)
    assert (low[0], high[0]) == pytest.approx((targets.min(), targets.max()), abs=3e-3)


def test_a_smaller_error_needs_wider_bounds() -> None:
    totals = drawn(0.2, 5, 40, 3)[:, -1]
    wide, narrow = (confidence_sequence([Stratum(totals, 40, 1.0)], alpha) for alpha in (0.0001, 0.1))
    assert (wide[0] <= narrow[0]).all()
    assert (wide[1] >= narrow[1]).all()


@pytest.mark.parametrize(("gained", "lost"), [(0.2, 0.0), (0.35, 0.15), (0.0, 0.0), (0.6, 0.1)])
def test_the_truth_is_missed_at_any_look_no_more_often_than_stated(gained: float, lost: float) -> None:
    times, alpha = 1_000, 0.1
    up, down = drawn(gained, times, 200, 5), drawn(lost, times, 200, 6)
    truth = 0.5 * gained - 0.5 * lost
    missed = np.zeros(times, dtype=bool)
    for n in (5, 8, 12, 18, 27, 40, 60, 90, 135, 200):
        low, high = confidence_sequence([Stratum(up[:, n - 1], n, 0.5), Stratum(down[:, n - 1], n, -0.5)], alpha)
        missed |= (low > truth + 1e-9) | (high < truth - 1e-9)
    assert missed.mean() <= alpha + 3 * (alpha * (1 - alpha) / times) ** 0.5


@pytest.mark.parametrize("weight", [1.0, -1.0])
def test_the_interval_of_one_stratum_is_wilsons(weight: float) -> None:
    low, high = stratified_interval([Stratum(np.array([3.0, 0.0]), 40, weight)], 0.05)
    for i, share in enumerate((3 / 40, 0.0)):
        expected = wilson_interval(share, 40)
        ends = sorted([weight * expected.low, weight * expected.high])
        assert [low[i], high[i]] == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize(("gained", "lost"), [(0.3, 0.0), (0.25, 0.25), (0.05, 0.1)])
def test_the_interval_of_two_strata_covers(gained: float, lost: float) -> None:
    strata = [
        Stratum(drawn(share, 2_000, 80, seed)[:, -1], 80, weight)
        for share, seed, weight in ((gained, 11, 0.5), (lost, 12, -0.5))
    ]
    low, high = stratified_interval(strata, 0.05)
    truth = 0.5 * (gained - lost)
    assert 0.93 <= np.mean((low <= truth) & (truth <= high)) <= 0.975


def test_nothing_drawn_says_nothing() -> None:
    low, high = stratified_interval([Stratum(np.zeros(1), 0, 0.4)], 0.05)
    assert (low[0], high[0]) == pytest.approx((0, 0.4), abs=1e-6)


def test_a_clear_lean_is_decided_from_few_draws() -> None:
    strata = [Stratum(drawn(0.9, 20, 30, 9)[:, -1], 30, 0.5), Stratum(np.zeros(20), 30, -0.5)]
    assert (decide_by_margin(*confidence_sequence(strata, 0.05 / 400), 0.05) == "positive").all()


def test_the_stratified_mean_weighs_the_means_of_the_strata() -> None:
    strata = [Stratum(np.array([1.0]), 2, 0.5), Stratum(np.zeros(1), 0, -0.5)]
    assert stratified_mean(strata).tolist() == [0.25]


def test_decisions_follow_the_margin() -> None:
    low, high = np.array([0.06, -0.2, -0.04, -0.1, 0.05]), np.array([0.2, -0.06, 0.05, 0.1, 0.05])
    assert decide_by_margin(low, high, 0.05).tolist() == ["positive", "negative", "neutral", "undecided", "neutral"]
