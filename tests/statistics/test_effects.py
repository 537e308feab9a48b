"""Effect sizes: worked by hand, against scipy and plain pair counts."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import (
    Moments,
    PairCounts,
    cliffs_delta,
    cohens_d,
    count_pairs,
    effect_size,
    paired_d_z,
    standardized_difference,
)

groups = st.lists(st.integers(-6, 6), min_size=1, max_size=15)


def test_cohens_d_by_hand() -> None:
    assert cohens_d([2, 4, 6], [1, 3, 5]) == pytest.approx(0.5)
    assert cohens_d([5, 5], [1, 3, 5]) == pytest.approx(2 / np.sqrt(8 / 3))


def test_cohens_d_is_the_t_statistic_without_its_sample_sizes() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(1, 2, 30), rng.normal(0, 2, 50)
    assert cohens_d(a, b) == pytest.approx(stats.ttest_ind(a, b).statistic * np.sqrt(1 / 30 + 1 / 50))


def test_the_standardized_difference_is_cohens_d_of_each_column() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(1, 2, (7, 4)), rng.normal(0, 1, (11, 4))
    effects = standardized_difference(Moments.of(first), Moments.of(second))
    for j, effect in enumerate(effects):
        a, b = first[:, j].tolist(), second[:, j].tolist()
        pooled = ((6 * statistics.variance(a) + 10 * statistics.variance(b)) / 16) ** 0.5
        assert effect == pytest.approx((statistics.fmean(a) - statistics.fmean(b)) / pooled)
        assert effect == pytest.approx(cohens_d(a, b))


def test_equal_groups_without_spread_have_no_standardized_difference() -> None:
    first, second = Moments.of(np.full((3, 1), 0.3)), Moments.of(np.full((4, 1), 0.3))
    assert standardized_difference(first, second).tolist() == [0.0]


def test_paired_d_z_is_the_paired_t_statistic_over_root_n() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(1, 2, 30), rng.normal(0, 2, 30)
    assert paired_d_z(a, b) == pytest.approx(stats.ttest_rel(a, b).statistic / np.sqrt(30))


@given(groups, groups)
@settings(max_examples=100, deadline=None)
def test_pairs_above_tied_and_below_are_counted_plainly(a: list[int], b: list[int]) -> None:
    signs = [np.sign(x - y) for x in a for y in b]
    assert count_pairs(a, b) == PairCounts(signs.count(1), signs.count(0), signs.count(-1))
    assert cliffs_delta(a, b) == pytest.approx(np.mean(signs))
    assert cliffs_delta(b, a) == pytest.approx(-cliffs_delta(a, b))
    assert cliffs_delta(a, b) == pytest.approx(2 * stats.mannwhitneyu(a, b).statistic / len(signs) - 1)


def test_ties_pull_cliffs_delta_towards_zero() -> None:
    assert cliffs_delta([2, 2], [1, 1]) == 1
    assert cliffs_delta([2, 2], [1, 2]) == 0.5
    assert cliffs_delta([2, 2], [2, 2]) == 0


def test_effects_in_units_of_no_spread_are_undefined() -> None:
    assert np.isnan(cohens_d([0.1, 0.1, 0.1], [0.3, 0.3, 0.3]))
    assert np.isnan(cohens_d([1], [2]))
    assert np.isnan(paired_d_z([1, 2, 3], [2, 3, 4]))
    assert np.isnan(paired_d_z([1], [2]))


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=15), st.integers(1, 9), st.integers(-9, 9))
@settings(max_examples=50, deadline=None)
def test_effects_do_not_depend_on_the_scale(values: list[int], stretch: int, shift: int) -> None:
    a, b = np.array(values), np.array(values)[::-1] ** 2
    for effect in (cohens_d, paired_d_z, cliffs_delta):
        assert effect(stretch * a + shift, stretch * b + shift) == pytest.approx(effect(a, b), nan_ok=True)


def test_effect_size_goes_by_name() -> None:
    a, b = [1, 2, 4], [0, 2, 1]
    assert effect_size(a, b) == cohens_d(a, b)
    assert effect_size(a, b, "paired_d_z") == paired_d_z(a, b)
    assert effect_size(a, b, "cliffs_delta") == cliffs_delta(a, b)
    with pytest.raises(TacitError, match="no effect size 'eta'"):
        effect_size(a, b, "eta")  # type: ignore[arg-type]
