"""Permutation tests: against scipy, against plain enumeration, and for what must not change them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import permutation_test, permutation_test_many, sign_flip_test, sign_flip_test_many
from tacit.statistics.inputs import Alternative, Floats

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
DIFFERENCES = np.array([0.3, -0.1, 0.4, 0.4, -0.2, 0.9, 0.1, 0.0, -0.3])
FIRST, SECOND = np.array([2.1, 3.3, 1.7, 2.1]), np.array([1.2, 2.1, 0.3, 1.9, 1.1])
small_integers = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


def plain_sign_flip_p(differences: Floats) -> float:
    total = abs(sum(differences))
    patterns = list(product((-1, 1), repeat=len(differences)))
    hits = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= total - 1e-9 for signs in patterns]
    return sum(hits) / len(patterns)


def plain_label_p(first: Floats, second: Floats) -> float:
    values = np.concatenate([first, second])
    observed = abs(first.mean() - second.mean())
    hits = []
    for chosen in combinations(range(values.size), first.size):
        inside = np.isin(np.arange(values.size), chosen)
        hits.append(abs(values[inside].mean() - values[~inside].mean()) >= observed - 1e-9)
    return float(np.mean(hits))


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_exact_sign_flips_are_scipys(alternative: Alternative) -> None:
    theirs = stats.permutation_test(
        (DIFFERENCES,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    )
    ours = sign_flip_test(DIFFERENCES, alternative=alternative)
    assert (ours.p, ours.statistic) == pytest.approx((theirs.pvalue, theirs.statistic))


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_exact_label_shuffles_are_scipys(alternative: Alternative) -> None:
    theirs = stats.permutation_test(
        (FIRST, SECOND), lambda a, b: a.mean() - b.mean(), n_resamples=np.inf, alternative=alternative
    )
    ours = permutation_test(FIRST, SECOND, alternative=alternative)
    assert (ours.p, ours.statistic) == pytest.approx((theirs.pvalue, theirs.statistic))
    assert (ours.exact, ours.resamples, ours.n) == (True, 126, 9)


def test_zero_differences_count_as_units_and_double_no_enumeration() -> None:
    ours = sign_flip_test(DIFFERENCES)
    assert (ours.n, ours.exact, ours.resamples) == (9, True, 2**8)
    assert ours.p == pytest.approx(plain_sign_flip_p(DIFFERENCES))


@given(small_integers)
@settings(max_examples=60, deadline=None)
def test_sign_flips_are_the_plain_count_over_all_patterns(differences: list[int]) -> None:
    assert sign_flip_test(np.array(differences) / 10).p == pytest.approx(plain_sign_flip_p(np.array(differences) / 10))


@given(small_integers.filter(lambda x: len(x) <= 5), small_integers.filter(lambda x: len(x) <= 5))
@settings(max_examples=50, deadline=None)
def test_label_shuffles_are_the_plain_count_over_all_labellings(a: list[int], b: list[int]) -> None:
    first, second = np.array(a) / 10, np.array(b) / 10
    assert permutation_test(first, second).p == pytest.approx(plain_label_p(first, second))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_rearrangements_approach_the_exact_p(alternative: Alternative) -> None:
    rng = np.random.default_rng(1)
    differences, first, second = rng.normal(0.4, 1, 16), rng.normal(0.5, 1, 9), rng.normal(0, 1, 9)
    for test in (
        lambda resamples: sign_flip_test(differences, alternative=alternative, resamples=resamples),
        lambda resamples: permutation_test(first, second, alternative=alternative, resamples=resamples),
    ):
        exact, random = test(2**16), test(20_000)
        assert (exact.exact, random.exact, random.resamples) == (True, False, 20_000)
        assert random.p == pytest.approx(exact.p, abs=4 * np.sqrt(exact.p * (1 - exact.p) / 20_000) + 1e-4)


def test_random_p_is_never_zero() -> None:
    assert sign_flip_test(np.full(100, 2.0), resamples=999).p == pytest.approx(1 / 1000)
    assert permutation_test(np.arange(30) + 100, np.arange(30), resamples=999).p == pytest.approx(1 / 1000)


def test_the_two_one_sided_sign_flip_tests_mirror_each_other() -> None:
    for differences in (DIFFERENCES, np.random.default_rng(3).normal(size=10)):
        assert (
            sign_flip_test(differences, alternative="less").p == sign_flip_test(-differences, alternative="greater").p
        )


def test_a_cluster_flips_as_one_item_of_its_sum() -> None:
    clusters = list("aabbbcdeef")
    differences = np.random.default_rng(4).normal(0.3, 1, size=10)
    sums = [differences[[c == label for c in clusters]].sum() for label in "abcdef"]
    ours = sign_flip_test(differences, clusters=clusters)
    assert (ours.p, ours.n, ours.resamples) == (pytest.approx(sign_flip_test(sums).p), 6, 64)
    assert ours.statistic == pytest.approx(differences.mean())


@pytest.mark.parametrize("differences", [[0.0], [0.0, 0.0, 0.0], [5.0]])
def test_nothing_to_find_gives_p_one(differences: list[float]) -> None:
    assert sign_flip_test(differences).p == 1


def test_equal_values_give_p_one_in_every_labelling() -> None:
    assert permutation_test([0.1] * 3, [0.1] * 4).p == 1
    assert permutation_test([0.1] * 30, [0.1] * 40).p == 1


def test_columns_tested_together_are_each_as_if_alone() -> None:
    values = np.random.default_rng(5).normal(size=(24, 6))
    labels = np.arange(24) % 3 == 0
    differences, p = permutation_test_many(values, labels, resamples=500)
    for j in range(6):
        first, second = values[labels, j], values[~labels, j]
        assert differences[j] == pytest.approx(first.mean() - second.mean())
        ordered = np.concatenate([first, second])[:, None]
        assert p[j] == pytest.approx(permutation_test(first, second, resamples=100_000).p, abs=0.1)
        assert permutation_test_many(ordered, np.arange(24) < 8, resamples=500)[1][0] == pytest.approx(
            permutation_test(first, second, resamples=500).p
        )


def test_far_offset_does_not_blur_the_test() -> None:
    assert permutation_test(FIRST + 1e6, SECOND + 1e6).p == permutation_test(FIRST, SECOND).p


@pytest.mark.parametrize("labels", [[1, 1, 1], [0, 1, 2], [0, 0, 0]])
def test_labels_that_do_not_make_two_groups_are_refused(labels: list[int]) -> None:
    with pytest.raises(TacitError, match="one group"):
        permutation_test_many(np.ones((3, 2)), labels)


def test_rows_without_labels_are_refused() -> None:
    with pytest.raises(TacitError, match=r"shape \(4, 2\) where 3 labelled rows"):
        permutation_test_many(np.ones((4, 2)), [0, 1, 1])


def test_unknown_alternative_and_no_resamples_are_refused() -> None:
    with pytest.raises(TacitError, match="no alternative 'both'"):
        sign_flip_test([1, 2], alternative="both")  # type: ignore[arg-type]
    with pytest.raises(TacitError, match="`resamples` must be a whole number from 1"):
        permutation_test([1], [2], resamples=0)


def test_empty_and_nan_differences_are_refused() -> None:
    with pytest.raises(TacitError, match="no differences"):
        sign_flip_test([])
    with pytest.raises(TacitError, match="1 are NaN"):
        permutation_test([1, np.nan], [2])


def test_many_columns_flip_together_and_are_corrected_by_the_largest_statistic() -> None:
    matrix = np.random.default_rng(2).normal(0.4, 1.0, size=(7, 3))
    scaled = matrix / np.sqrt((matrix**2).sum(axis=0))
    flips = [np.array(signs)[:, None] for signs in product((-1, 1), repeat=7)]
    largest = np.array([np.abs((signs * scaled).sum(axis=0)).max() for signs in flips])
    expected = [np.mean(largest >= observed - 1e-9) for observed in np.abs(scaled.sum(axis=0))]
    assert sign_flip_test_many(matrix) == pytest.approx(expected)
    assert sign_flip_test_many(matrix[:, :1]) == pytest.approx(sign_flip_test(matrix[:, 0]).p)


def test_columns_that_move_together_cost_less_than_a_correction_for_independent_ones() -> None:
    column = np.random.default_rng(3).normal(0.5, 1.0, size=(12, 1))
    alone = sign_flip_test_many(column)[0]
    assert sign_flip_test_many(np.repeat(column, 50, axis=1)) == pytest.approx([alone] * 50)


def test_columns_without_any_difference_are_no_finding() -> None:
    assert sign_flip_test_many(np.zeros((40, 3)), resamples=200).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(TacitError, match="units by columns"):
        sign_flip_test_many([1.0, 2.0])
