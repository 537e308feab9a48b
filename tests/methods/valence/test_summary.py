"""The summary states a leaning, what is unrated and who rated, and the words used to compare two models."""

from __future__ import annotations

from pathlib import Path

from tacit.methods.valence import Valence
from tacit.ratings import Bank, Rating
from tests.methods.valence.small_probe import UNRATED, measure, prepare


def test_the_summary_states_which_way_the_model_leans(folder: Path) -> None:
    sentences = Valence().summary(measure(folder), "old-model")
    assert sentences[0].startswith("Old: old-model leans to old: beta -0.75 [-0.75, -0.75]")
    assert sentences[0].endswith("(2 of 2 sentences counted).")
    assert "too few sentences" in sentences[1]


def test_the_summary_counts_the_sentences_of_each_group(folder: Path) -> None:
    sentences = Valence().summary(measure(folder, UNRATED, min_rated=0.8), "old-model")
    assert "(1 of 2 sentences counted)" in sentences[0]
    assert sentences[1] == "New: no result for old-model, because too few of its fillings are rated."


def test_the_summary_names_the_raters(folder: Path) -> None:
    Bank().add("old", {"s1": "Why wilt [MASK] go?"}, [Rating("s1", "not", 0, "bob")])
    sentences = Valence().summary(measure(folder), "old-model")
    assert "Ratings by ann (6), bob (1)." in sentences


def test_the_summary_states_what_is_unrated(folder: Path) -> None:
    sentences = Valence().summary(measure(folder, UNRATED), "old-model")
    assert any("1 of 3 sentences are reported but not counted" in sentence for sentence in sentences)


def test_comparisons_use_the_words_of_the_scale(folder: Path) -> None:
    bias, fit = Valence().comparisons(*prepare(folder))
    assert (bias.measure, bias.lower, bias.higher) == ("beta", "leans more to old", "leans more to new")
    assert fit.measure == "delta"
