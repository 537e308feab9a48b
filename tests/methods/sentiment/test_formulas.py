"""Agreement between models and tests on which words lean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods.sentiment.formulas import overlap, shared_by_two, top_and_bottom

word_sets = st.lists(st.frozensets(st.sampled_from("abcdef")), min_size=1, max_size=5)


def test_words_of_the_printed_positive_lists_that_two_models_share() -> None:
    """Table 1, threshold 0.5: of the 12 positive words printed for four models, three stand in two lists or more."""
    printed = [
        ["modular", "shone", "Tours"],
        ["PEOPLE", "sovereignty", "embodiment", "predominant", "Indeed", "incorporate", "touch"],
        ["shone"],
        ["precious", "shone", "servings", "embodiment", "Indeed"],
    ]
    assert shared_by_two(printed) == pytest.approx(3 / 12)


@given(word_sets)
def test_sharing_agrees_with_counting_by_hand(named: list[frozenset[str]]) -> None:
    every = frozenset().union(*named)
    shared = [word for word in every if sum(word in words for words in named) >= 2]
    assert shared_by_two(named) == (len(shared) / len(every) if every else None)


@given(st.frozensets(st.sampled_from("abcdef"), min_size=1))
def test_a_test_overlaps_wholly_with_itself_and_not_with_nothing(words: frozenset[str]) -> None:
    assert overlap(words, words) == 1
    assert overlap(words, []) == 0


def test_the_overlap_of_no_words_is_undefined() -> None:
    assert overlap([], ["a"]) is None
    assert shared_by_two([[], []]) is None


def test_strong_words_are_looked_up_apart_from_weak_ones() -> None:
    strength = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    assert top_and_bottom(strength, ["a", "b", "d"], size=2) == (1.0, 0.5)


def test_few_words_are_split_into_halves() -> None:
    assert top_and_bottom({"a": 3.0, "b": 2.0, "c": 1.0}, ["a"], size=50) == (1.0, 0.0)
    assert top_and_bottom({"a": 3.0}, ["a"]) == (None, None)
