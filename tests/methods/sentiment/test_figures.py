"""The charts of the sentiment tests show what the tables say, and describe it for readers who cannot see them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.methods.association import Association
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import between_models, between_tests, rank_agreement
from tacit.methods.sentiment.figures import shown_words
from tacit.methods.shift import Shift
from tests.methods.association.test_measures import measured
from tests.methods.shift.test_measures import SEQUENTIAL, ask_in_rounds


@pytest.fixture
def associated(tmp_path: Path) -> Tables:
    (tmp_path / "association").mkdir()
    words = "word,polarity\ngood,positive\nbad,negative\nchair,neutral\ntable,neutral\n"
    return measured(tmp_path / "association", words=words)


@pytest.fixture
def shifted(tmp_path: Path) -> Tables:
    return ask_in_rounds(tmp_path, SEQUENTIAL)[0]


def leaning(words: dict[str, tuple[str, float]], column: str) -> Tables:
    table = pl.DataFrame(
        {
            "word": list(words),
            "polarity": ["neutral"] * len(words),
            "leaning": [side for side, _ in words.values()],
            column: [value for _, value in words.values()],
        }
    )
    return {"words": table}


def test_association_draws_the_words_first_then_its_control_and_each_pair_of_models(associated: Tables) -> None:
    drawn = Association().figures({"one": associated, "two": associated})
    assert [figure.name for figure in drawn] == [
        "words",
        "sanity",
        "growth",
        "pair-one-two",
    ]
    for figure in drawn:
        assert figure.chart.to_dict()
        assert figure.caption
        assert figure.alt


def test_the_ranked_words_are_described_in_order(associated: Tables) -> None:
    figure = next(figure for figure in Association().figures({"one": associated}) if figure.name == "words")
    assert figure.alt.index("chair") < figure.alt.index("table")


def test_shift_draws_the_words_and_what_they_took(shifted: Tables) -> None:
    drawn = Shift().figures({"one": shifted})
    assert [figure.name for figure in drawn] == ["words", "effort", "by-k"]
    assert all(figure.chart.to_dict() for figure in drawn)


def test_both_tests_are_drawn_together_for_models_that_ran_both(associated: Tables, shifted: Tables) -> None:
    renamed = {**shifted, "words": shifted["words"].with_columns(word=pl.Series(["chair", "table", "x", "y"]))}
    drawn = Shift().figures_beside({"one": associated, "two": associated}, {"one": renamed})
    assert [figure.name for figure in drawn] == ["tests-one"]
    assert drawn[0].chart.to_dict()
    assert "association finds" in drawn[0].caption
    assert "Shift finds" in drawn[0].caption


def test_long_lists_show_their_ends_and_their_middle() -> None:
    words = pl.DataFrame({"word": [f"w{i}" for i in range(101)], "q": [i - 50.0 for i in range(101)]})
    shown = shown_words(words, "q")
    assert shown["q"].to_list() == [*range(50, 38, -1), 2, 1, 0, -1, -2, -3, *range(-39, -51, -1)]


def test_models_share_the_words_that_two_of_them_name() -> None:
    first = leaning({"a": ("positive", 1.0), "b": ("positive", 0.5), "c": ("negative", -1.0)}, "q")
    second = leaning({"a": ("positive", 0.7), "b": ("neutral", 0.0), "c": ("negative", -0.2)}, "q")
    shared = dict(between_models({"one": first, "two": second}).select("side", "shared").iter_rows())
    assert shared == {"positive": 0.5, "negative": 1.0}


def test_the_tests_agree_more_on_strong_words_than_on_weak_ones() -> None:
    sat = leaning(
        {"a": ("positive", 1.0), "b": ("positive", 0.5), "c": ("neutral", 0.1), "d": ("neutral", 0.0)}, "effect"
    )
    sst = leaning({word: ("positive", q) for word, q in zip("abcd", (0.9, 0.8, 0.2, 0.1), strict=True)}, "q")
    row = between_tests(sat, sst).filter(pl.col("side") == "positive").row(0, named=True)
    assert (row["association_in_shift"], row["top"], row["bottom"]) == (1.0, 1.0, 0.0)


def test_equal_orders_correlate_fully() -> None:
    points = pl.DataFrame({"x": [1.0, 2.0, 3.0, 5.0], "y": [0.1, 0.4, 0.5, 0.6]})
    agreement = rank_agreement(points)
    assert agreement is not None
    assert agreement.value == pytest.approx(1)
    assert rank_agreement(points.head(2)) is None


def test_a_pair_of_models_states_how_far_they_agree(associated: Tables) -> None:
    figure = Association().figures({"one": associated, "two": associated})[-1]
    assert "Leaning words that both models share: 100% of the 1 positive ones." in figure.alt
