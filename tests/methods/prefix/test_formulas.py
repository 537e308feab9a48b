"""Section 4.5's formulas, by hand and against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods.prefix.formulas import (
    accuracy,
    balanced_accuracy,
    confusion,
    label_changes,
    macro_f1,
    means_without_each,
    rise_and_fall,
)

labels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)


def test_rises_and_falls_by_hand():
    moves = rise_and_fall([0.5, 0.5, 0.5, 0.5], [0.7, 0.6, 0.1, 0.5])
    assert (moves.risen, moves.fallen) == (0.5, 0.25)
    assert moves.rise == pytest.approx(0.15)
    assert moves.fall == pytest.approx(0.4)


def test_the_mean_of_no_rises_is_undefined():
    moves = rise_and_fall([0.5], [0.4])
    assert np.isnan(moves.rise)
    assert moves.risen == 0


def test_label_changes_are_counted_in_each_direction():
    shares = label_changes([0, 0, 1, 1], [0, 1, 0, 0], 2)
    assert shares.tolist() == [[0, 0.25], [0.5, 0]]


def test_macro_f1_by_hand():
    """Two of three texts of label 0 are correct, and the one text of label 1: F1 is 2*2/(3+2) and 2*1/(1+2)."""
    assert macro_f1(confusion([0, 0, 0, 1], [0, 0, 1, 1], 2)) == pytest.approx((4 / 5 + 2 / 3) / 2)


def test_balanced_accuracy_by_hand_and_of_a_constant_answer():
    """Two of three texts of label 0 are correct, and the one text of label 1: (2/3 + 1) / 2."""
    assert balanced_accuracy(confusion([0, 0, 0, 1], [0, 0, 1, 1], 2)) == pytest.approx(5 / 6)
    assert balanced_accuracy(confusion([0, 0, 0, 1], [0, 0, 0, 0], 2)) == 0.5
    assert balanced_accuracy(confusion([0, 0], [0, 0], 3)) == 1.0


def test_a_label_that_never_occurs_is_left_out():
    assert macro_f1(confusion([0, 0], [0, 0], 3)) == 1.0


@given(labels)
def test_formulas_agree_with_counting_one_by_one(pairs):
    first, second = zip(*pairs, strict=True)
    counts = confusion(first, second, 3)
    assert counts.tolist() == [[sum(pair == (a, b) for pair in pairs) for b in range(3)] for a in range(3)]
    assert accuracy(first, second) == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    f1 = []
    for label in {*first, *second}:
        right = sum(a == b == label for a, b in pairs)
        f1.append(2 * right / (first.count(label) + second.count(label)))
    assert macro_f1(counts) == pytest.approx(sum(f1) / len(f1))
    changed = sum(a != b for a, b in pairs) / len(pairs)
    assert label_changes(first, second, 3).sum() == pytest.approx(changed)


def test_many_regions_at_once_give_the_same_as_one_by_one():
    after = np.array([[0.1, 0.9], [0.6, 0.4]])
    moves = rise_and_fall([0.5, 0.5], after)
    assert moves.rise == pytest.approx([0.4, 0.1])
    predicted = np.array([[0, 1], [1, 1]])
    assert macro_f1(confusion([0, 1], predicted, 2))[0] == macro_f1(confusion([0, 1], [0, 1], 2))


def test_table_5_of_the_paper():
    """BERT, nohate to hate: .0720 % over all countries, .0723 % without Ireland, which therefore changes no label."""
    shares = np.full(247, 0.0720 * 247 / 246)
    shares[0] = 0
    assert shares.mean() == pytest.approx(0.0720)
    assert round(float(means_without_each(shares)[0]), 4) == 0.0723


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_means_without_each_agree_with_deleting_one_by_one_and_average_to_the_mean(values):
    means = means_without_each(values)
    slow = [float(np.mean(np.delete(values, i))) for i in range(len(values))]
    assert means == pytest.approx(slow, abs=1e-12)
    assert means.mean() == pytest.approx(np.mean(values), abs=1e-12)


def test_a_single_value_has_no_mean_without_it():
    assert np.isnan(means_without_each([0.5])).all()
