"""Krippendorff's alpha: published examples, a plain recomputation by pairs, and what must not change it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tacit.errors import TacitError
from tacit.statistics import krippendorff_alpha, krippendorff_interval
from tacit.statistics.agreement import Level
from tacit.statistics.inputs import Floats
from tacit.statistics.resampling import draw_units
from tests.statistics.test_intervals import widened

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
NAN = float("nan")

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: sections A, B, and C to E.
BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
LETTERS = [[ord(letter) for letter in "aabbdcccedda"], [ord(letter) for letter in "babbbccceddd"]]
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)

tables = arrays.arrays(
    np.float64, st.tuples(st.integers(2, 4), st.integers(1, 7)), elements=st.sampled_from([1, 2, 3, 5, NAN])
)


def plain_alpha(table: Floats, level: Level) -> float:
    """Disagreement of all pairs within units over that of all pairs whatsoever, pair by pair."""
    units = [[value for value in unit if not np.isnan(value)] for unit in table.T]
    units = [unit for unit in units if len(unit) >= 2]
    everything = [value for unit in units for value in unit]

    def distance(c: float, k: float) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        between = sum(min(c, k) <= value <= max(c, k) for value in everything)
        return 0.0 if c == k else (between - everything.count(c) / 2 - everything.count(k) / 2) ** 2

    def total(values: list[float]) -> float:
        return sum(distance(c, k) for i, c in enumerate(values) for j, k in enumerate(values) if i != j)

    n = len(everything)
    observed = sum(total(unit) / (len(unit) - 1) for unit in units) / n
    return 1 - observed / (total(everything) / (n * (n - 1)))


def has_variation(table: Floats) -> bool:
    pairable = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    return np.unique(pairable[~np.isnan(pairable)]).size > 1


def test_two_observers_of_binary_data() -> None:
    assert krippendorff_alpha(BINARY) == pytest.approx(0.095, abs=5e-4)


def test_two_observers_of_five_categories() -> None:
    assert krippendorff_alpha(LETTERS) == pytest.approx(0.692, abs=5e-4)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_four_observers_with_missing_ratings(level: Level, published: float) -> None:
    assert krippendorff_alpha(FOUR_OBSERVERS, level) == pytest.approx(published, abs=5e-4)


@given(tables, st.sampled_from(LEVELS))
@settings(max_examples=150, deadline=None)
def test_alpha_is_the_plain_count_over_pairs(table: Floats, level: Level) -> None:
    assume(has_variation(table))
    assert krippendorff_alpha(table, level) == pytest.approx(plain_alpha(table, level), abs=1e-9)


@given(tables, st.sampled_from(LEVELS), st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_order_of_raters_and_units_does_not_matter(table: Floats, level: Level, seed: int) -> None:
    assume(has_variation(table))
    shuffled = table[::-1, np.random.default_rng(seed).permutation(table.shape[1])]
    assert krippendorff_alpha(shuffled, level) == pytest.approx(krippendorff_alpha(table, level))


@given(tables)
@settings(max_examples=50, deadline=None)
def test_each_level_sees_only_what_it_may(table: Floats) -> None:
    assume(has_variation(table))
    renamed = np.select([table == 1, table == 2, table == 3, table == 5], [7, -1, 4, 0], np.nan)
    assert krippendorff_alpha(renamed, "nominal") == pytest.approx(krippendorff_alpha(table, "nominal"))
    assert krippendorff_alpha(np.exp(table), "ordinal") == pytest.approx(krippendorff_alpha(table, "ordinal"))
    assert krippendorff_alpha(3 * table + 1000, "interval") == pytest.approx(krippendorff_alpha(table, "interval"))


@pytest.mark.parametrize("level", LEVELS)
def test_raters_who_always_agree_have_alpha_one(level: Level) -> None:
    agreed = [[1, 2, 2, 9], [1, 2, 2, 9], [1, NAN, 2, 9]]
    assert krippendorff_alpha(agreed, level) == pytest.approx(1)
    assert krippendorff_interval(agreed, level).high == pytest.approx(1)


def test_a_unit_rated_once_says_nothing() -> None:
    assert krippendorff_alpha(FOUR_OBSERVERS[:, :11]) == krippendorff_alpha(FOUR_OBSERVERS)
    assert krippendorff_interval(FOUR_OBSERVERS, resamples=10).n == 11


@pytest.mark.parametrize("level", LEVELS)
def test_interval_resamples_whole_units(level: Level) -> None:
    pairable = FOUR_OBSERVERS[:, :11]
    drawn = np.concatenate(list(draw_units(11, 25, seed=0)))
    plain = np.quantile([plain_alpha(pairable[:, row], level) for row in drawn], widened(11))
    ours = krippendorff_interval(FOUR_OBSERVERS, level, resamples=25)
    assert (ours.low, ours.high) == pytest.approx(tuple(plain))
    assert ours.value == krippendorff_alpha(FOUR_OBSERVERS, level)


def test_bca_interval_of_alpha_uses_the_jackknife() -> None:
    ours = krippendorff_interval(FOUR_OBSERVERS, method="bca")
    assert ours.method == "bca"
    assert ours.low < ours.value < ours.high < krippendorff_interval(FOUR_OBSERVERS).high


def test_equal_ratings_leave_alpha_undefined() -> None:
    assert np.isnan(krippendorff_alpha([[2, 2], [2, 2]]))
    assert np.isnan(krippendorff_interval([[2, 2], [2, 2]]).low)


def test_resamples_of_equal_ratings_are_left_out_and_counted() -> None:
    ours = krippendorff_interval([[1, 2, 1], [1, 2, 1]], resamples=2700)
    assert ours.undefined == pytest.approx(2700 * (8 + 1) / 27, abs=120)
    assert (ours.low, ours.high) == (1, 1)


def test_one_unit_has_no_interval() -> None:
    alone = krippendorff_interval([[1], [2]])
    assert alone.n == 1
    assert np.isnan([alone.low, alone.high]).all()


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([[1, NAN], [NAN, 2]], "add a second rater"),
        ([[NAN, NAN]], "add a second rater"),
        ([1, 2, 3], "raters by units"),
        ([[1, np.inf], [1, 2]], "raters by units"),
    ],
)
def test_ratings_that_allow_no_agreement_are_refused(table: list[list[float]], sentence: str) -> None:
    with pytest.raises(TacitError, match=sentence):
        krippendorff_alpha(table)


def test_unknown_level_is_refused() -> None:
    with pytest.raises(TacitError, match="no level 'ratio'"):
        krippendorff_alpha(BINARY, "ratio")  # type: ignore[arg-type]
