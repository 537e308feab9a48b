"""The ratings that a run keeps: the same bytes for the same ratings, and back without loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.ratings import Rating, Scale, kept_bytes, read_kept

SCALE = Scale("old", "new", (-1.0, -1 / 3, 0.0, 1.0), ("",) * 4)
STRANGE = ["=1+1", "'=x", '"', ",", ";", "##s", "a\nb", " ", "thou", "–", "@"]


def test_every_token_comes_back_as_it_was(tmp_path: Path) -> None:
    ratings = [Rating("s1", token, -1 / 3, "ann", "2026-11-17", "a, note") for token in STRANGE]
    (tmp_path / "kept.csv").write_bytes(kept_bytes(ratings))
    assert sorted(read_kept(tmp_path / "kept.csv", SCALE, {"s1"}), key=lambda rating: rating.token) == sorted(
        ratings, key=lambda rating: rating.token
    )


def test_the_order_and_the_case_of_ratings_change_no_byte() -> None:
    one, two = Rating("s1", "Thou", -1, "ann"), Rating("s1", "you", 0, "bob")
    assert kept_bytes([one, two]) == kept_bytes([two, Rating("s1", "thou", -1, "ann")])


@pytest.mark.parametrize(
    ("ratings", "problem"),
    [([Rating("s9", "thou", -1, "ann")], "no sentence 's9'"), ([Rating("s1", "thou", 7, "ann")], "not on the scale")],
)
def test_ratings_of_another_probe_are_refused_with_their_row(
    tmp_path: Path, ratings: list[Rating], problem: str
) -> None:
    (tmp_path / "kept.csv").write_bytes(kept_bytes(ratings))
    with pytest.raises(MaterialsError, match=rf"row 2: .*{problem}"):
        read_kept(tmp_path / "kept.csv", SCALE, {"s1"})
