"""Confidence sequences: the bets are fair, complete samples are exact, and the stated error holds in simulation."""

from __future__ import annotations

from itertools import permutations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.statistics import Stratum, confidence_sequence, decide_by_margin, log_wealth, stratified_mean


def plain_log_wealth(draws: list[float], size: int, mean: float) -> float:
    wealth, total = 1.0, 0.0
    for i, x in enumerate(draws):
        left = (size * mean - total) / (size - i)
        guess = (0.25 + total) / (1 + i)
        wealth *= x * guess / left + (1 - x) * (1 - guess) / (1 - left)
        total += x
    return log(wealth)


def draw_orders(population: np.ndarray, times: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permuted(np.tile(population, (times, 1)), axis=1)


def ones(size: int, count: int) -> np.ndarray:
    return (np.arange(size) < count).astype(float)


@pytest.mark.parametrize("drawn", [1, 2, 4])
def test_betting_against_the_truth_is_a_fair_game(drawn: int) -> None:
    population = [0.0, 0.3, 0.4, 0.9, 1.0]
    orders = np.array(list(permutations(population)))
    wealth = np.exp(log_wealth(orders[:, :drawn], 5, np.full((len(orders), 1), np.mean(population))))
    assert wealth.mean() == pytest.approx(1, abs=1e-9)


def test_betting_against_a_falsehood_wins_in_the_long_run() -> None:
    orders = draw_orders(ones(200, 80), 50, seed=1)[:, :100]
    assert (log_wealth(orders, 200, np.full((50, 1), 0.1)) > 5).all()


def test_log_wealth_agrees_with_the_product_written_out() -> None:
    draws = [0.0, 1.0, 0.25, 0.0, 0.5]
    for mean in (0.3, 0.5, 0.62):
        assert log_wealth(np.array([draws]), 12, np.array([[mean]]))[0, 0] == pytest.approx(
            plain_log_wealth(draws, 12, mean)
        )


@given(hnp.arrays(np.float64, 8, elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_log_wealth_is_convex_in_the_candidate(draws: np.ndarray) -> None:
    grid = (draws.sum() + 12 * np.linspace(0.01, 0.99, 41)) / 20
    wealth = log_wealth(draws[None], 20, grid[None])[0]
    assert (np.diff(wealth, 2) > -1e-9).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 10_000))
def test_a_population_drawn_to_its_end_is_known_exactly(size: int, count: int, seed: int) -> None:
    draws = draw_orders(ones(size, min(count, size)), 1, seed)
    low, high = confidence_sequence([Stratum(draws, size, 0.7), Stratum(draws, size, -0.2)], 0.05)
    assert low == pytest.approx(0.5 * draws.mean(), abs=1e-9)
    assert high == pytest.approx(0.5 * draws.mean(), abs=1e-9)


def test_nothing_drawn_leaves_everything_possible() -> None:
    low, high = confidence_sequence([Stratum(np.zeros((1, 0)), 10, 0.6), Stratum(np.zeros((1, 0)), 10, -0.4)], 0.05)
    assert (low[0], high[0]) == pytest.approx((-0.4, 0.6))


def test_bounds_of_one_stratum_are_where_the_wealth_reaches_one_over_alpha() -> None:
    draws = draw_orders(ones(300, 90), 1, seed=2)[:, :120]
    low, high = confidence_sequence([Stratum(draws, 300, 1.0)], 0.01)
    grid = (draws.sum() + 180 * np.linspace(1e-6, 1 - 1e-6, 20_001)) / 300
    inside = grid[log_wealth(draws, 300, grid[None])[0] <= log(100)]
    cell = 180 / 300 / 128
    assert low[0] <= inside.min() <= low[0] + 2.1 * cell
    assert high[0] - 2.1 * cell <= inside.max() <= high[0]


def test_a_smaller_error_needs_wider_bounds() -> None:
    draws = draw_orders(ones(100, 20), 5, seed=3)[:, :40]
    wide, narrow = (confidence_sequence([Stratum(draws, 100, 1.0)], alpha) for alpha in (0.0001, 0.1))
    assert (wide[0] <= narrow[0]).all()
    assert (wide[1] >= narrow[1]).all()


@pytest.mark.parametrize(("gained", "lost"), [(12, 0), (22, 10), (0, 0), (36, 6)])
def test_the_truth_is_missed_at_any_look_no_more_often_than_stated(gained: int, lost: int) -> None:
    times, size, alpha = 1_000, 60, 0.1
    up, down = draw_orders(ones(size, gained), times, seed=5), draw_orders(ones(size, lost), times, seed=6)
    truth = 0.5 * gained / size - 0.5 * lost / size
    missed = np.zeros(times, dtype=bool)
    for drawn in (5, 8, 12, 18, 27, 40, 60):
        strata = [Stratum(up[:, :drawn], size, 0.5), Stratum(down[:, :drawn], size, -0.5)]
        low, high = confidence_sequence(strata, alpha)
        missed |= (low > truth + 1e-9) | (high < truth - 1e-9)
    assert missed.mean() <= alpha + 3 * (alpha * (1 - alpha) / times) ** 0.5


def test_wrong_decisions_on_the_margin_stay_within_the_stated_error() -> None:
    times, size, alpha, margin = 1_000, 60, 0.1, 0.05
    up = draw_orders(ones(size, 6), times, seed=7)
    down = draw_orders(ones(size, 0), times, seed=8)
    wrong, open_ = np.zeros(times, dtype=bool), np.ones(times, dtype=bool)
    for drawn in (6, 9, 14, 21, 32, 48):
        strata = [Stratum(up[:, :drawn], size, 0.5), Stratum(down[:, :drawn], size, -0.5)]
        decided = decide_by_margin(*confidence_sequence(strata, alpha), margin)
        wrong |= open_ & np.isin(decided, ("positive", "negative"))
        open_ &= decided == "undecided"
    assert wrong.mean() <= alpha


def test_a_clear_lean_is_decided_from_a_tenth_of_the_population() -> None:
    up, down = draw_orders(ones(200, 180), 20, seed=9), draw_orders(ones(200, 0), 20, seed=10)
    strata = [Stratum(up[:, :20], 200, 0.5), Stratum(down[:, :20], 200, -0.5)]
    assert (decide_by_margin(*confidence_sequence(strata, 0.05 / 400), 0.05) == "positive").all()


def test_the_stratified_mean_weighs_the_means_of_the_strata() -> None:
    strata = [Stratum(np.array([[1.0, 0.0]]), 10, 0.5), Stratum(np.zeros((1, 0)), 10, -0.5)]
    assert stratified_mean(strata).tolist() == [0.25]


def test_decisions_follow_the_margin() -> None:
    low, high = np.array([0.06, -0.2, -0.04, -0.1, 0.05]), np.array([0.2, -0.06, 0.05, 0.1, 0.05])
    assert decide_by_margin(low, high, 0.05).tolist() == ["positive", "negative", "neutral", "undecided", "neutral"]


def test_wealth_starts_at_one() -> None:
    assert exp(log_wealth(np.zeros((1, 0)), 5, np.array([[0.4]]))[0, 0]) == 1
