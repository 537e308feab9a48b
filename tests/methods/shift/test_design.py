"""The sequential design: orders are random where they must be, rounds end, and one error covers all words."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.shift import ShiftSettings
from tacit.methods.shift.calls import Calls
from tacit.methods.shift.design import Plan, net_shift_bounds, net_shift_estimates, undecided_words
from tacit.statistics import confidence_sequence, stratified_interval

SETTINGS = ShiftSettings()
POSITIVE = np.arange(60) < 30
BEFORE = np.arange(60) % 3 > 0


def plan(seed: int = 0) -> Plan:
    return Plan.of(POSITIVE, BEFORE, ShiftSettings(seed=seed))


def calls_after(design: Plan, words: int, reviews: int) -> Calls:
    """Calls in which every word changes every third review, asked about the first `reviews` of the order."""
    after = np.full((words, 3, 60), -1, dtype=np.int8)
    turned = np.where(np.arange(60) % 3 == 1, ~BEFORE, BEFORE)
    asked = design.order[:reviews]
    after[:, design.dealt[asked], asked] = turned[asked]
    return Calls(BEFORE, after, ties=0)


def test_the_order_is_random() -> None:
    assert sorted(plan().order) == list(range(60))
    assert not np.array_equal(plan().order, plan(seed=1).order)


def test_any_first_part_of_the_order_has_its_share_of_both_strata_and_of_each_k() -> None:
    design = plan()
    for reviews in (6, 15, 30, 45, 60):
        first = design.order[:reviews]
        assert abs(BEFORE[first].sum() - reviews * BEFORE.mean()) <= 1
        counts = np.bincount(design.dealt[first], minlength=3)
        assert np.abs(counts - reviews * design.repeat_weights).max() < 2


def test_within_a_stratum_every_review_may_come_first() -> None:
    called = np.flatnonzero(BEFORE)
    first = {next(review for review in plan(seed).order if BEFORE[review]) for seed in range(200)}
    assert len(first) > 0.9 * called.size


def test_rounds_grow_until_every_review_is_asked_with_one_k() -> None:
    design, counts = plan(), []
    calls = Calls(BEFORE, np.full((2, 3, 60), -1, dtype=np.int8), ties=0)
    while draws := list(design.next_round(calls, np.array([0, 1]))):
        for draw in draws:
            assert (calls.after[:, :, draw.review] == -1).all()
            calls.after[:, draw.repeat, draw.review] = 1
        counts.append(len(draws))
    assert counts == [16, 4, 7, 8, 10, 14, 1]
    assert (calls.asked.sum(axis=1) == 1).all()


def test_nothing_is_asked_when_no_word_is_undecided() -> None:
    assert list(plan().next_round(calls_after(plan(), 2, 16), np.array([], dtype=np.int64))) == []


def test_all_words_share_one_error() -> None:
    design = plan()
    alone, among = (net_shift_bounds(calls_after(design, words, 20), design, 0.05) for words in (1, 50))
    assert among[0][0] < alone[0][0]
    assert among[1][0] > alone[1][0]
    expected = confidence_sequence(design.strata(calls_after(design, 1, 20).after), 0.05 / 2 / 50)
    assert (among[0][0], among[1][0]) == pytest.approx((expected[0][0], expected[1][0]))


def test_words_asked_about_every_review_get_a_last_look() -> None:
    """Half of the error was kept for it: its interval is narrower than one that allows stopping at any time."""
    design = plan()
    strata = design.strata(calls_after(design, 1, 60).after)
    low, high = net_shift_bounds(calls_after(design, 1, 60), design, 0.05)
    anytime, last = confidence_sequence(strata, 0.025), stratified_interval(strata, 0.025)
    assert (low[0], high[0]) == pytest.approx((last[0][0], last[1][0]))
    assert anytime[0][0] < low[0] < high[0] < anytime[1][0]


def test_a_word_is_undecided_until_its_bounds_decide() -> None:
    design = plan()
    early = calls_after(design, 3, 4)
    assert undecided_words(early, design, SETTINGS).tolist() == [0, 1, 2]
    clear = Calls(BEFORE, np.where(calls_after(design, 3, 60).asked, 1, -1).astype(np.int8), ties=0)
    assert undecided_words(clear, design, ShiftSettings(margin=0.01)).tolist() == []


def test_only_the_words_asked_about_most_can_be_undecided() -> None:
    design = plan()
    calls = calls_after(design, 3, 8)
    calls.after[1] = calls_after(design, 1, 4).after[0]
    assert undecided_words(calls, design, SETTINGS).tolist() == [0, 2]


def test_estimates_weigh_both_classes_and_every_k() -> None:
    design = plan()
    calls = calls_after(design, 1, 60)
    expected = 0.0
    for k, weight in enumerate(design.repeat_weights):
        for was_positive, sign in ((False, 1), (True, -1)):
            members = (was_positive == BEFORE) & (design.dealt == k)
            changed = np.mean(calls.after[0, k, members] != was_positive)
            expected += sign * weight * np.mean(was_positive == BEFORE) * float(changed)
    assert net_shift_estimates(calls, design)[0] == pytest.approx(expected)
