"""Ratings are keyed by sentence and token, read with their errors, and combined over raters."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import TacitError
from tacit.ratings import Rating, ScaleShape, combine_ratings, read_ratings, read_scale, token_key

SCALE = read_scale(ScaleShape.model_validate({"low": "old", "high": "new", "points": [-1, -0.5, 0, 0.5, 1]}))
points = st.sampled_from(SCALE.points)


def write(folder: Path, *rows: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text("\n".join(["sentence,token,score,rater,date,note", *rows]) + "\n", encoding="utf-8")
    return path


def test_capitals_do_not_make_another_token() -> None:
    assert token_key("Thou") == token_key("thou") == token_key("THOU")


def test_composed_and_decomposed_letters_are_one_token() -> None:
    assert token_key("cafe\u0301") == token_key("café")


def test_ratings_are_read_with_rater_date_and_note(tmp_path: Path) -> None:
    path = write(tmp_path, 's1,Thou,-1,ann,2026-01-02,"old, and sure"')
    assert read_ratings(path, SCALE, ["s1"]) == [Rating("s1", "thou", -1, "ann", "2026-01-02", "old, and sure")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("s9,thou,-1,ann,,", "no sentence 's9'"),
        ("s1,thou,-2,ann,,", "not on the scale"),
        ("s1,thou,,ann,,", "not a number"),
        ("s1,You,0,ann,,", "also stand on line 2"),
    ],
)
def test_a_bad_row_is_named_by_line_and_reason(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(TacitError, match=f"ratings.csv, line 3: .*{reason}"):
        read_ratings(write(tmp_path, "s1,you,0,ann,,", row), SCALE, ["s1"])


@given(st.lists(points, min_size=1, max_size=7))
def test_mean_and_median_are_taken_over_the_raters(scores: list[float]) -> None:
    ratings = [Rating("s1", "thou", score, f"rater {i}") for i, score in enumerate(scores)]
    mean, middle = combine_ratings(ratings, "mean"), combine_ratings(ratings, "median")
    assert mean["sigma"].to_list() == [pytest.approx(fmean(scores))]
    assert middle["sigma"].to_list() == [pytest.approx(median(scores))]
    assert mean["raters"].to_list() == [len(scores)]


def test_the_same_token_in_two_sentences_has_two_scores() -> None:
    table = combine_ratings([Rating("s1", "you", 0, "ann"), Rating("s2", "you", -1, "ann")], "mean")
    assert dict(zip(table["sentence"], table["sigma"], strict=True)) == {"s1": 0, "s2": -1}


def test_no_ratings_make_an_empty_table() -> None:
    assert combine_ratings([], "mean").is_empty()
