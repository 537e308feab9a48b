"""A scale takes the points that it names, however a spreadsheet writes them, and nothing else."""

from __future__ import annotations

import pytest

from tacit.errors import TacitError
from tacit.ratings import Scale, read_scale

FIVE = read_scale({"low": "old", "high": "new", "points": [1, -1, 0, 0.5, -0.5]}, "probe.yaml")


@pytest.mark.parametrize(
    ("written", "meant"), [("-0.5", -0.5), ("0,5", 0.5), ("−1", -1), ("–0,5", -0.5), (" 1.0 ", 1), ("0", 0), ("+1", 1)]
)
def test_a_point_is_understood_as_spreadsheets_write_it(written: str, meant: float) -> None:
    assert FIVE.score(written) == meant


@pytest.mark.parametrize("written", ["0.25", "2", "-3", "nan", "inf", "old", "1 or 0"])
def test_what_is_no_point_of_the_scale_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"write one of -1, -0\.5, 0, 0\.5, 1"):
        FIVE.score(written)


def test_width_and_middle_follow_the_poles() -> None:
    scale = Scale("cold", "hot", (1, 2, 3, 4, 5), ("",) * 5)
    assert (scale.width, scale.middle) == (4, 3)


def test_points_may_carry_labels() -> None:
    scale = read_scale({"low": "a", "high": "b", "points": {1: "all b", -1: "all a"}}, "probe.yaml")
    assert scale.points == (-1, 1)
    assert scale.labels == ("all a", "all b")


@pytest.mark.parametrize(
    "given", [None, {}, {"low": "a", "high": "b"}, {"low": "a", "high": "b", "points": [1]}, "scale.csv"]
)
def test_a_probe_without_a_usable_scale_is_told_how_to_write_one(given: object) -> None:
    with pytest.raises(TacitError, match=r"probe\.yaml: .*scale: "):
        read_scale(given, "probe.yaml")


def test_words_are_no_points() -> None:
    with pytest.raises(TacitError, match="numbers"):
        read_scale({"low": "a", "high": "b", "points": ["low", "high"]}, "probe.yaml")
