"""Each K on its own: the shares of Table 2, and the words that move both accuracies the same way."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods.shift import Shift, ShiftSettings
from tacit.methods.shift.calls import read_calls
from tacit.methods.shift.formulas import accuracy_loss, same_way
from tacit.methods.shift.simulation import SimulatedModel, asked_answers, make_materials
from tacit.questions import Choose
from tests.methods.shift.test_measures import EXACT, SEQUENTIAL, ask_in_rounds

losses = st.floats(-1, 1, allow_nan=False)


def spoiling_respondent(question: Choose) -> list[float | None]:
    """`up` and `down` move labels one way; `slight` turns every second label whatever it was; `chair` none."""
    kind, number = question.context.split()
    called = kind == "praise"
    word = question.text.split()[0]
    if word in ("up", "down") and int(number) % 4 == 0:
        called = word == "up"
    if word == "slight" and int(number) % 2 == 0:
        called = not called
    return [0.2, 0.1] if called else [0.1, 0.2]


def test_both_accuracies_move_the_same_way_only_if_both_differences_have_one_sign() -> None:
    signs = list(product((-0.1, 0.0, 0.2), repeat=2))
    found = same_way(*np.array(signs).T)
    assert found.tolist() == [a * b > 0 for a, b in signs]


@given(losses, losses)
def test_the_side_of_the_reviews_does_not_matter(negative: float, positive: float) -> None:
    one, other = np.array([negative]), np.array([positive])
    assert same_way(one, other).tolist() == same_way(other, one).tolist() == same_way(-one, -other).tolist()


def test_table_2_counts_the_words_of_each_direction(tmp_path: Path) -> None:
    tables, _, _ = ask_in_rounds(tmp_path, EXACT, spoiling_respondent)
    by_k = tables["by_k"]
    assert by_k["k"].to_list() == [5, 10, 15]
    assert by_k["reviews"].to_list() == [200.0] * 3
    for side in ("positive", "negative", "same_way"):
        assert by_k[side].to_list() == [0.25] * 3
        assert ((by_k[f"{side}_low"] < 0.25) & (by_k[f"{side}_high"] > 0.25)).all()
    named = by_k.row(0, named=True)
    assert (named["positive_words"], named["negative_words"], named["same_way_words"]) == ("up", "down", "slight")


def test_shares_agree_with_the_studys_definition_word_by_word() -> None:
    materials, settings = make_materials(reviews=15, neutral=9), ShiftSettings(design="exact", resamples=10)
    answers = SimulatedModel(spread=0.4).answers(materials, settings, 3)
    calls, by_k = read_calls(materials, settings, answers), Shift().measure(materials, settings, answers)["by_k"]
    for place in range(3):
        same = up = 0
        for word in range(9):
            after = calls.after[word, place] == 1
            negative, positive = (
                float(accuracy_loss(calls.before, after, materials.positive, of_positive=side))
                for side in (False, True)
            )
            same += negative * positive > 0
            up += round(negative - positive, 9) > 0
        assert by_k["same_way"][place] == pytest.approx(same / 9)
        assert by_k["positive"][place] == pytest.approx(up / 9)


def test_in_the_sequential_design_words_count_that_were_asked_with_this_k() -> None:
    materials, settings = make_materials(reviews=40, neutral=6), ShiftSettings(resamples=10)
    answers = asked_answers(materials, settings, SimulatedModel(effect=2.0).answers(materials, settings, 1))
    tables = Shift().measure(materials, settings, answers)
    asked = tables["repeats"].drop_nulls(["negative_loss", "positive_loss"]).group_by("k").len().sort("k")
    assert tables["by_k"]["words"].to_list() == asked["len"].to_list()
    assert tables["by_k"]["reviews"][0] > 3 * tables["by_k"]["reviews"][2]


def test_the_shares_are_measures_with_intervals_and_are_marked(tmp_path: Path) -> None:
    for settings in (EXACT, SEQUENTIAL, ShiftSettings(mode="as-published", resamples=300)):
        tables, _, _ = ask_in_rounds(tmp_path, settings, spoiling_respondent)
        rows = tables["measures"].filter(pl.col("group").str.contains(", K="))
        assert rows.group_by("measure").len().sort("measure").rows() == [
            ("negative-biased share", 3),
            ("positive-biased share", 3),
            ("same way share", 3),
        ]
        assert rows["caution"].null_count() == 0
        assert (rows["low"] < rows["high"]).all()


def test_the_summary_gives_the_counts_but_no_verdict(tmp_path: Path) -> None:
    tables, _, _ = ask_in_rounds(tmp_path, EXACT, spoiling_respondent)
    sentence = next(text for text in Shift().summary(tables, "tiny") if "by sign" in text)
    assert "to positive (25%, 25%, 25%) or to negative (25%, 25%, 25%) with K = 5, 10, 15" in sentence
    assert "with K = 5, 25% [" in sentence
    assert not any(", K=" in group for group in Shift().key_rows(tables)["group"])
