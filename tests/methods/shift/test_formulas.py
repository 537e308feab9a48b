"""The equations of the shift test against the printed scores, their properties and a plain recomputation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from tacit.methods.shift.formulas import (
    accuracy,
    accuracy_loss,
    flips,
    largest_q,
    net_shift,
    on_published_scale,
    q_score,
    repeat_weights,
)

REPEATS = (5, 10, 15)
PRINTED = (-36.74, -30.35, -24.48, -19.13, 20.62, 15.52, 15.17, 12.67)

labels = hnp.arrays(np.bool_, 6)
labels_after = hnp.arrays(np.bool_, (6, 3))
TRUTH = np.array([True, True, True, False, False, False])


def q_of(before: np.ndarray, after: np.ndarray, positive: np.ndarray) -> float:
    lost = [accuracy_loss(before, after, positive, of_positive=side) for side in (False, True)]
    return float(q_score(lost[0], lost[1], REPEATS))


def plain_q(before: list[bool], after: list[list[bool]], positive: list[bool]) -> float:
    total = 0.0
    for column, k in enumerate(REPEATS):
        lost = {}
        for side in (False, True):
            members = [i for i, truth in enumerate(positive) if truth is side]
            right_before = sum(before[i] is side for i in members) / len(members)
            right_after = sum(after[i][column] is side for i in members) / len(members)
            lost[side] = right_before - right_after
        total += (lost[False] - lost[True]) / k**2
    return total / len(REPEATS)


def test_one_repeat_count_divides_by_its_square() -> None:
    assert float(q_score(np.array([0.5]), np.array([-0.25]), [5])) == pytest.approx(0.75 / 25)


def test_q_of_a_word_worked_by_hand() -> None:
    negative_loss, positive_loss = np.array([0.1, 0.2, 0.3]), np.array([-0.05, -0.1, -0.1])
    expected = (0.15 / 25 + 0.3 / 100 + 0.4 / 225) / 3
    assert float(q_score(negative_loss, positive_loss, REPEATS)) == pytest.approx(expected)


@pytest.mark.parametrize("printed", PRINTED)
def test_printed_scores_fit_counts_of_2000_reviews_but_neither_shares_nor_percentages(printed: float) -> None:
    most = largest_q(REPEATS)
    assert abs(printed) > 100 * most
    assert abs(printed) < float(on_published_scale(np.float64(most)))


def test_deadly_shifted_half_of_all_labels() -> None:
    assert float(net_shift(np.float64(-36.74 / 2_000), REPEATS)) == pytest.approx(-0.506, abs=5e-4)


@given(labels, labels_after)
def test_q_agrees_with_the_definition_written_out(before: np.ndarray, after: np.ndarray) -> None:
    assert q_of(before, after, TRUTH) == pytest.approx(plain_q(before.tolist(), after.tolist(), TRUTH.tolist()))


@given(labels, labels_after)
def test_the_true_labels_only_weigh_the_classes(before: np.ndarray, after: np.ndarray) -> None:
    moved = (after.astype(float) - before[:, None].astype(float)) @ repeat_weights(REPEATS)
    balanced = (moved[TRUTH].mean() + moved[~TRUTH].mean()) / 2
    assert float(net_shift(np.float64(q_of(before, after, TRUTH)), REPEATS)) == pytest.approx(balanced)


@given(labels)
def test_a_word_that_changes_no_label_scores_zero(before: np.ndarray) -> None:
    after = np.repeat(before[:, None], 3, axis=1)
    assert q_of(before, after, TRUTH) == 0
    assert [side.tolist() for side in flips(before, after)] == [[0, 0, 0], [0, 0, 0]]


def test_a_word_that_makes_all_reviews_positive_leans_positive() -> None:
    before = TRUTH.copy()
    after = np.ones((6, 3), dtype=bool)
    assert q_of(before, after, TRUTH) == pytest.approx(largest_q(REPEATS) / 2)
    assert flips(before, after)[0].tolist() == [3, 3, 3]


def test_flips_are_counted_in_each_direction() -> None:
    before = np.array([True, True, False, False, False])
    after = np.array([[False], [True], [True], [True], [False]])
    to_positive, to_negative = flips(before, after)
    assert (to_positive.tolist(), to_negative.tolist()) == ([2], [1])


def test_accuracy_is_the_share_of_right_labels() -> None:
    assert float(accuracy(np.array([True, False, True]), np.array([True, True, True]))) == pytest.approx(2 / 3)


def test_fewer_repeats_weigh_more() -> None:
    weights = repeat_weights(REPEATS)
    assert weights.sum() == pytest.approx(1)
    assert weights[0] / weights[1] == pytest.approx(4)
    assert weights[0] / weights[2] == pytest.approx(9)
