"""The formulas against values worked out by hand, properties, and plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacit.methods.counterknowledge.formulas import (
    FIRST,
    NEITHER,
    SECOND,
    first_share,
    group_probability,
    margin,
    neither_share,
    preference,
    relative_probability,
    stereotype,
)

chances = arrays(np.float64, (4, 6), elements=st.floats(0, 1))
sides = arrays(np.int8, (4, 6), elements=st.sampled_from([FIRST, NEITHER, SECOND]))
positive = arrays(np.float64, 5, elements=st.floats(0.01, 1))


def test_the_nurse_of_five_words_worked_by_hand() -> None:
    # woman .4, man .2, patient .1, girl .05, boy .01
    probabilities = np.array([[0.4, 0.2, 0.1, 0.05, 0.01]])
    groups = np.array([[1, -1, 0, 1, -1]], dtype=np.int8)
    assert group_probability(probabilities, groups, FIRST, 3) == pytest.approx([0.4])
    assert group_probability(probabilities, groups, FIRST, 5) == pytest.approx([0.45])
    assert group_probability(probabilities, groups, SECOND, 5) == pytest.approx([0.21])
    assert group_probability(probabilities, groups, NEITHER, 5) == pytest.approx([0.1])


@given(chances, sides, st.integers(1, 6))
def test_the_three_sides_sum_to_the_probability_of_the_top_k(p: np.ndarray, v: np.ndarray, k: int) -> None:
    total = sum(group_probability(p, v, side, k) for side in (FIRST, NEITHER, SECOND))
    assert total == pytest.approx(p[:, :k].sum(axis=1))


@given(chances, sides, st.integers(1, 6))
def test_group_probability_is_a_plain_loop(p: np.ndarray, v: np.ndarray, k: int) -> None:
    looped = []
    for row in range(4):
        total = 0.0
        for column in range(k):
            if v[row, column] == SECOND:
                total += p[row, column]
        looped.append(total)
    assert group_probability(p, v, SECOND, k) == pytest.approx(looped)


def test_a_woman_is_pro_for_the_nurse_and_anti_for_the_pilot() -> None:
    first, second = np.array([0.4, 0.4]), np.array([0.1, 0.1])
    assert margin(first, second) == pytest.approx([0.3, 0.3])
    assert stereotype(first, second, np.array([1, -1], dtype=np.int8)) == pytest.approx([0.3, -0.3])


@given(positive, positive)
def test_swapping_the_groups_reverses_margin_share_and_preference(first: np.ndarray, second: np.ndarray) -> None:
    assert margin(first, second) == pytest.approx(-margin(second, first))
    assert first_share(first, second) == pytest.approx(1 - first_share(second, first))
    assert (preference(first, second) == -preference(second, first)).all()


def test_without_any_word_of_either_group_there_is_no_share_and_no_preference() -> None:
    nothing = np.zeros(1)
    assert np.isnan(first_share(nothing, nothing)).all()
    assert preference(nothing, nothing).tolist() == [NEITHER]


def test_neither_share_is_the_rest_of_the_probability() -> None:
    assert neither_share(np.array([0.1]), np.array([0.1]), np.array([0.6])) == pytest.approx([0.75])


def test_equation_1_doubles_when_the_word_becomes_twice_as_likely() -> None:
    assert relative_probability(np.array([0.2, 0.1]), np.array([0.1, 0.2])) == pytest.approx([2.0, 0.5])
