"""Corrections of a family of p-values: worked figures, scipy, and plain definitions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import benjamini_hochberg, holm
from tacit.statistics.inputs import Floats

BOTH = pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
families = st.lists(st.floats(0, 1), min_size=1, max_size=25)


def plain_holm_rejects(p: list[float], alpha: float) -> list[bool]:
    """The procedure as it is told: from the smallest p on, reject while p ≤ alpha over the number still in play."""
    rejected = [False] * len(p)
    for step, index in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        if p[index] > alpha / (len(p) - step):
            break
        rejected[index] = True
    return rejected


def test_holm_of_four_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_of_four_by_hand() -> None:
    assert benjamini_hochberg([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@given(families)
@settings(max_examples=100, deadline=None)
def test_benjamini_hochberg_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p))


@given(families, st.floats(0.001, 0.5))
@settings(max_examples=100, deadline=None)
def test_holm_rejects_what_the_step_down_procedure_rejects(p: list[float], alpha: float) -> None:
    adjusted = holm(p)
    clear = np.abs(adjusted - alpha) > 1e-9
    assert list((adjusted <= alpha)[clear]) == list(np.array(plain_holm_rejects(p, alpha))[clear])


@BOTH
def test_each_row_is_a_family(correct: Callable[[object], Floats]) -> None:
    rows = np.random.default_rng(1).random((5, 7)) ** 3
    rows[2, 3] = np.nan
    assert np.allclose(correct(rows), [correct(row) for row in rows], equal_nan=True)


@BOTH
@given(p=families, unmade=st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_tests_that_were_not_made_stay_nan_and_are_not_counted(
    correct: Callable[[object], Floats], p: list[float], unmade: int
) -> None:
    with_gaps = correct([np.nan] * unmade + p)
    assert np.isnan(with_gaps[:unmade]).all()
    assert list(with_gaps[unmade:]) == list(correct(p))


@given(families)
@settings(max_examples=50, deadline=None)
def test_holm_is_stricter_than_benjamini_hochberg_which_is_stricter_than_none(p: list[float]) -> None:
    assert (holm(p) >= benjamini_hochberg(p) - 1e-12).all()
    assert (benjamini_hochberg(p) >= np.array(p) - 1e-12).all()


@BOTH
def test_shape_is_kept_and_an_empty_family_is_empty(correct: Callable[[object], Floats]) -> None:
    assert correct([[0.1, 0.2], [0.3, np.nan]]).shape == (2, 2)
    assert correct([]).size == 0


@BOTH
@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.inf])
def test_what_is_no_p_value_is_refused(correct: Callable[[object], Floats], wrong: float) -> None:
    with pytest.raises(TacitError, match="outside 0 to 1"):
        correct([0.5, wrong])
