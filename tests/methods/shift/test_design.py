"""The sequential design: orders are random where they must be, rounds end, and one error covers all words."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.shift import ShiftSettings
from tacit.methods.shift.calls import Calls
from tacit.methods.shift.design import Plan, net_shift_bounds, net_shift_estimates, undecided_words
from tacit.statistics import confidence_sequence

SETTINGS = ShiftSettings()
POSITIVE = np.arange(60) < 30
BEFORE = np.arange(60) % 3 > 0


def plan(seed: int = 0) -> Plan:
    return Plan.of(POSITIVE, BEFORE, ShiftSettings(seed=seed))


def calls_after(design: Plan, words: int, reviews: int) -> Calls:
    """Calls in which every word changes every third review, asked about the first `reviews` of each K's order."""
    after = np.full((words, 3, 60), -1, dtype=np.int8)
    turned = np.where(np.arange(60) % 3 == 1, ~BEFORE, BEFORE)
    for k, order in enumerate(design.orders):
        after[:, k, order[:reviews]] = turned[order[:reviews]]
    return Calls(BEFORE, after, ties=0)


def test_each_k_has_a_random_order_of_its_own() -> None:
    orders = plan().orders
    assert all(sorted(order) == list(range(60)) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    assert not np.array_equal(orders, plan(seed=1).orders)


def test_any_prefix_of_an_order_has_its_share_of_both_strata() -> None:
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
    design = plan()
    calls = Calls(BEFORE, np.full((2, 3, 60), -1, dtype=np.int8), ties=0)
    for expected in design.rounds[:3]:
        for draw in design.next_round(calls, np.array([0, 1])):
            assert (calls.after[:, draw.repeat, draw.review] == -1).all()
            calls.after[:, draw.repeat, draw.review] = 1
        assert calls.asked.sum(axis=2).tolist() == [list(expected)] * 2


def test_all_words_share_one_error() -> None:
    design = plan()
    alone, among = (net_shift_bounds(calls_after(design, words, 20), design, 0.05) for words in (1, 50))
    assert among[0][0] < alone[0][0]
    assert among[1][0] > alone[1][0]
    expected = confidence_sequence(design.strata(calls_after(design, 1, 20).after), 0.05 / 50)
    assert (among[0][0], among[1][0]) == pytest.approx((expected[0][0], expected[1][0]))


def test_a_word_is_undecided_until_its_bounds_decide() -> None:
    design = plan()
    early, complete = calls_after(design, 3, 4), calls_after(design, 3, 60)
    assert undecided_words(early, design, SETTINGS).tolist() == [0, 1, 2]
    assert undecided_words(complete, design, SETTINGS).tolist() == []


def test_only_the_words_asked_about_most_can_be_undecided() -> None:
    design = plan()
    calls = calls_after(design, 3, 8)
    calls.after[1, :, :] = calls_after(design, 1, 4).after[0]
    assert undecided_words(calls, design, SETTINGS).tolist() == [0, 2]


def test_estimates_of_everything_are_exact() -> None:
    design = plan()
    calls = calls_after(design, 1, 60)
    moved = calls.after[0].astype(float) - BEFORE
    balanced = (moved[:, POSITIVE].mean(axis=1) + moved[:, ~POSITIVE].mean(axis=1)) / 2
    assert net_shift_estimates(calls, design)[0] == pytest.approx(float(balanced @ design.repeat_weights))
