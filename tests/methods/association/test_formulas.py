"""The equations of the association test against the study's rule, their properties and a plain recomputation."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.methods.association.formulas import (
    polarity,
    review_leaning,
    share_told_apart,
    threshold_reached,
)

tables = hnp.arrays(np.float64, (5, 3), elements=st.floats(0, 1, width=32))


def plain_polarity(positive: np.ndarray, negative: np.ndarray, m: float) -> list[int]:
    signs = []
    for j in range(positive.shape[1]):
        up_values, down_values = positive[:, j].tolist(), negative[:, j].tolist()
        up_mean, down_mean = statistics.fmean(up_values), statistics.fmean(down_values)
        up = up_mean > down_mean + m * statistics.pstdev(down_values)
        down = down_mean > up_mean + m * statistics.pstdev(up_values)
        signs.append(int(up) - int(down))
    return signs


def test_a_word_is_positive_once_its_mean_exceeds_the_negative_mean_by_m_deviations() -> None:
    negative = np.array([[0.1], [0.3]])  # mean 0.2, deviation 0.1
    assert polarity(np.array([[0.29], [0.29]]), negative, 1.0).tolist() == [0]
    assert polarity(np.array([[0.31], [0.31]]), negative, 1.0).tolist() == [1]
    assert polarity(np.array([[0.31], [0.31]]), negative, 1.5).tolist() == [0]


def test_the_deviation_is_that_of_the_reviews_in_which_the_word_is_rarer() -> None:
    steady, spread = np.array([[0.2], [0.2]]), np.array([[0.1], [0.5]])
    assert polarity(spread, steady, 1.5).tolist() == [1]
    assert polarity(steady, spread, 1.5).tolist() == [-1]
    assert polarity(np.array([[0.1], [0.5]]), np.array([[0.31], [0.31]]), 0.5).tolist() == [0]


@given(tables, tables, st.sampled_from([0.5, 1.0, 1.5]))
def test_swapping_the_classes_swaps_the_sign(positive: np.ndarray, negative: np.ndarray, m: float) -> None:
    assert (polarity(positive, negative, m) == -polarity(negative, positive, m)).all()


@given(tables, tables)
def test_a_higher_threshold_never_finds_more(positive: np.ndarray, negative: np.ndarray) -> None:
    biased = [np.abs(polarity(positive, negative, m)) for m in (0.5, 1.0, 1.5)]
    assert (biased[0] >= biased[1]).all()
    assert (biased[1] >= biased[2]).all()


@pytest.mark.parametrize("m", [0.5, 1.0, 1.5])
def test_polarity_agrees_with_the_rule_written_out(m: float) -> None:
    rng = np.random.default_rng(3)
    positive, negative = rng.beta(1.0, 4.0, (12, 200)), rng.beta(1.3, 4.0, (9, 200))
    signs = polarity(positive, negative, m).tolist()
    assert signs == plain_polarity(positive, negative, m)
    assert m > 1 or {-1, 0, 1} == set(signs)


def test_the_threshold_reached_is_where_polarity_changes() -> None:
    rng = np.random.default_rng(4)
    positive, negative = rng.random((8, 50)), rng.random((8, 50))
    reached = threshold_reached(positive, negative)
    for j in range(50):
        column = positive[:, [j]], negative[:, [j]]
        assert polarity(*column, abs(reached[j]) - 1e-6).tolist() == [np.sign(reached[j])]
        assert polarity(*column, abs(reached[j]) + 1e-6).tolist() == [0]


def test_a_word_with_equal_means_reaches_no_threshold() -> None:
    same = np.full((3, 1), 0.25)
    assert threshold_reached(same, same).tolist() == [0.0]
    assert threshold_reached(same + 0.25, same).tolist() == [np.inf]


def test_a_review_leans_by_the_difference_of_its_two_means() -> None:
    assert review_leaning(np.array([[0.4, 0.2], [0.1, 0.1]]), np.array([[0.1], [0.3]])) == pytest.approx([0.2, -0.2])


def test_telling_reviews_apart_does_not_depend_on_word_frequency() -> None:
    positive, negative = np.array([0.3, 0.2, 0.1]), np.array([0.05, 0.1])
    assert share_told_apart(positive, negative) == pytest.approx((2 + 2 + 1.5) / 6)
    assert share_told_apart(positive - 1, negative - 1) == share_told_apart(positive, negative)
    assert share_told_apart(negative, positive) == pytest.approx(1 - share_told_apart(positive, negative))
