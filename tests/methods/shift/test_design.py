"""The sequential design: orders that are random where they must be, rounds that end, and one error for all words."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.shift import ShiftSettings
from tacit.methods.shift.calls import Calls
from tacit.methods.shift.design import Plan, bounds_of, estimates_of, still_open
from tacit.statistics.sequential import bounds

SETTINGS = ShiftSettings()
POSITIVE = np.arange(60) < 30
BEFORE = np.arange(60) % 3 > 0


def plan(seed: int = 0) -> Plan:
    return Plan.of(POSITIVE, BEFORE, ShiftSettings(seed=seed))


def calls_after(made: Plan, words: int, reviews: int) -> Calls:
    """Calls in which every word turns every third review, asked about the first so many of each K's order."""
    after = np.full((words, 3, 60), -1, dtype=np.int8)
    turned = np.where(np.arange(60) % 3 == 1, ~BEFORE, BEFORE)
    for k, order in enumerate(made.orders):
        after[:, k, order[:reviews]] = turned[order[:reviews]]
    return Calls(BEFORE, after, ties=0)


def test_each_k_has_a_random_order_of_its_own() -> None:
    orders = plan().orders
    assert all(sorted(order) == list(range(60)) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    assert not np.array_equal(orders, plan(seed=1).orders)


def test_every_beginning_of_an_order_holds_its_share_of_both_strata() -> None:
    for order in plan().orders:
        for reviews in (6, 15, 30, 45):
            assert abs(BEFORE[order[:reviews]].sum() - reviews * BEFORE.mean()) <= 1


def test_within_a_stratum_every_review_may_come_first() -> None:
    called = np.flatnonzero(BEFORE)
    first = {next(review for review in plan(seed).orders[0] if BEFORE[review]) for seed in range(200)}
    assert len(first) > 0.9 * called.size


def test_rounds_grow_until_everything_is_asked_and_ask_short_repeats_most() -> None:
    rounds = np.array(plan().rounds)
    assert (np.diff(rounds, axis=0) >= 0).all()
    assert rounds[-1].tolist() == [60, 60, 60]
    assert rounds[0][0] > 3 * rounds[0][1] > 0
    assert (rounds.sum(axis=1)[1:] > rounds.sum(axis=1)[:-1]).all()


def test_the_next_round_continues_where_the_words_are() -> None:
    made = plan()
    calls = Calls(BEFORE, np.full((2, 3, 60), -1, dtype=np.int8), ties=0)
    for expected in made.rounds[:3]:
        for review, words, k in made.next_round(calls, np.array([0, 1])):
            assert (calls.after[words, k, review] == -1).all()
            calls.after[words, k, review] = 1
        assert calls.asked.sum(axis=2).tolist() == [list(expected)] * 2


def test_one_error_is_shared_by_all_words() -> None:
    made = plan()
    alone, among = (bounds_of(calls_after(made, words, 20), made, 0.05) for words in (1, 50))
    assert among[0][0] < alone[0][0]
    assert among[1][0] > alone[1][0]
    expected = bounds(made.strata(calls_after(made, 1, 20).after), 0.05 / 50)
    assert (among[0][0], among[1][0]) == pytest.approx((expected[0][0], expected[1][0]))


def test_a_word_is_open_exactly_while_its_bounds_are_undecided() -> None:
    made = plan()
    few, all_ = calls_after(made, 3, 4), calls_after(made, 3, 60)
    assert still_open(few, made, SETTINGS).tolist() == [0, 1, 2]
    assert still_open(all_, made, SETTINGS).tolist() == []


def test_only_the_words_that_came_furthest_can_be_open() -> None:
    made = plan()
    calls = calls_after(made, 3, 8)
    calls.after[1, :, :] = calls_after(made, 1, 4).after[0]
    assert still_open(calls, made, SETTINGS).tolist() == [0, 2]


def test_estimates_of_everything_are_exact() -> None:
    made = plan()
    calls = calls_after(made, 1, 60)
    moved = calls.after[0].astype(float) - BEFORE
    balanced = (moved[:, POSITIVE].mean(axis=1) + moved[:, ~POSITIVE].mean(axis=1)) / 2
    assert estimates_of(calls, made)[0] == pytest.approx(float(balanced @ made.importance))
