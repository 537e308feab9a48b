"""A scale takes the points that it names, however a spreadsheet writes them, and nothing else."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tacit.ratings import Scale, ScaleShape, read_scale

FIVE = read_scale(ScaleShape.model_validate({"low": "old", "high": "new", "points": [1, -1, 0, 0.5, -0.5]}))


@pytest.mark.parametrize(
    ("written", "meant"), [("-0.5", -0.5), ("0,5", 0.5), ("−1", -1), ("–0,5", -0.5), (" 1.0 ", 1), ("0", 0), ("+1", 1)]
)
def test_a_point_is_understood_as_spreadsheets_write_it(written: str, meant: float) -> None:
    assert FIVE.parse_score(written) == meant


@pytest.mark.parametrize("written", ["0.25", "2", "-3", "nan", "inf", "old", "1 or 0"])
def test_anything_else_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"Write one of -1, -0\.5, 0, 0\.5, 1"):
        FIVE.parse_score(written)


def test_width_and_middle_follow_the_poles() -> None:
    scale = Scale("cold", "hot", (1, 2, 3, 4, 5), ("",) * 5)
    assert (scale.width, scale.middle) == (4, 3)


def test_points_may_carry_labels() -> None:
    scale = read_scale(ScaleShape.model_validate({"low": "a", "high": "b", "points": {1: "all b", -1: "all a"}}))
    assert scale.points == (-1, 1)
    assert scale.labels == ("all a", "all b")


def test_labels_and_poles_may_be_numbers_or_missing() -> None:
    shape = ScaleShape.model_validate({"low": 1900, "high": 2000, "points": {0: None, 1: 2000}})
    assert read_scale(shape) == Scale("1900", "2000", (0, 1), ("", "2000"))


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"low": "a", "high": "b"},
        {"low": "a", "high": "b", "points": [1]},
        {"low": "a", "high": "b", "points": ["low", "high"]},
        "scale.csv",
    ],
)
def test_an_unusable_scale_shows_how_to_write_one(given: object) -> None:
    with pytest.raises(ValidationError, match=r"`scale: \{low: formal"):
        ScaleShape.model_validate(given)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValidationError, match="middle"):
        ScaleShape.model_validate({"low": "a", "high": "b", "points": [0, 1], "middle": 0})
