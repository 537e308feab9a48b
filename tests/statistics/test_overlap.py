"""What several sets share, against chance: worked by hand, against the hypergeometric distribution, and by counting."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import Resampling, overlaps

MANY = Resampling(20_000, 0.95, 1)


def sets_of(items: int, *members: list[int]) -> np.ndarray:
    return np.array([[item in own for item in range(items)] for own in members])


def test_two_sets_follow_the_hypergeometric_distribution() -> None:
    """Of 40 words one model finds 12 and another 15; the words in both are drawn as 15 balls from an urn with 12."""
    sets = sets_of(40, list(range(12)), list(range(4, 19)))
    either, both = overlaps(sets, MANY)
    urn = stats.hypergeom(40, 12, 15)
    assert (either.count, both.count) == (19, 8)
    assert both.share == pytest.approx(8 / 19)
    assert both.expected == pytest.approx(urn.mean(), abs=0.05)
    assert (both.low, both.high) == (urn.ppf(0.025), urn.ppf(0.975))
    assert both.p == pytest.approx(urn.sf(7), abs=0.01)
    assert either.p == both.p  # with two sets a larger intersection is a smaller union
    assert either.expected == pytest.approx(27 - urn.mean(), abs=0.05)


def test_every_permutation_of_a_small_case_agrees() -> None:
    """Three sets of two of four items: all 6 x 6 placings of the second and third set, by hand."""
    first, placings = {0, 1}, list(combinations(range(4), 2))
    counts = [
        sum(held >= 2 for held in Counter([*first, *second, *third]).values())
        for second in placings
        for third in placings
    ]
    found = overlaps(sets_of(4, [0, 1], [0, 1], [1, 2]), MANY)
    assert [overlap.count for overlap in found] == [3, 2, 1]
    assert found[1].expected == pytest.approx(np.mean(counts), abs=0.02)
    assert found[1].p == pytest.approx(np.mean([count >= 2 for count in counts]), abs=0.02)


@settings(max_examples=30, deadline=None)
@given(arrays.arrays(bool, st.tuples(st.integers(1, 4), st.integers(1, 12))))
def test_counts_fall_with_the_number_of_sets_and_lie_in_range(sets: np.ndarray) -> None:
    found = overlaps(sets, Resampling(50, 0.9, 0))
    counts = [overlap.count for overlap in found]
    assert counts == sorted(counts, reverse=True)
    for overlap in found:
        assert 0 <= overlap.low <= overlap.expected + 1e-9 <= overlap.high + 1 or overlap.low == overlap.high
        assert 0 < overlap.p <= 1


def test_unrelated_sets_get_small_p_no_more_often_than_they_should() -> None:
    rng, small = np.random.default_rng(3), 0
    for seed in range(200):
        sets = rng.random((3, 60)) < 0.3
        small += overlaps(sets, Resampling(200, 0.95, seed))[1].p < 0.05
    assert stats.binom(200, 0.05).sf(small - 1) > 0.01


def test_what_is_no_table_of_sets_is_refused() -> None:
    with pytest.raises(TacitError, match="sets by items"):
        overlaps([[]], MANY)
