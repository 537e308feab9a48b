"""Beta by rater: the same as a run in which only this rater counts."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.ratings import Bank, Rating
from tests.methods.valence.small_probe import measure

TEXTS = {"s1": "Why wilt [MASK] go?", "s2": "Fare [MASK] well.", "s3": "Do you [MASK] to go?"}
BOB = [
    Rating("s1", "thou", -0.5, "bob"),
    Rating("s1", "you", 0.5, "bob"),
    Rating("s2", "thee", -1, "bob"),
    Rating("s2", "you", 0, "bob"),
]


def test_beta_by_rater_is_that_of_a_run_with_this_rater_alone(folder: Path) -> None:
    Bank().add("old", TEXTS, BOB)
    table = measure(folder)["by_rater"]
    assert table["rater"].to_list() == ["ann", "ann", "bob", "bob"]
    for rater in ("ann", "bob"):
        alone = measure(folder, raters=rater)["measures"].filter(pl.col("item").is_null(), measure="beta")
        for row in table.filter(rater=rater).iter_rows(named=True):
            beta = alone.filter(group=row["group"]).row(0, named=True)
            assert (row["value"], row["low"], row["high"]) == (beta["value"], beta["low"], beta["high"])
    bob = table.filter(rater="bob", group="Old").row(0, named=True)
    assert bob["value"] == pytest.approx((-0.5 * 0.75 + 0.5 * 0.25 - 0.5) / 2)
    assert bob["rated"] == pytest.approx(1)
    assert table.filter(rater="bob", group="New")["rated"].to_list() == [0]


def test_one_rater_needs_no_table(folder: Path) -> None:
    assert "by_rater" not in measure(folder)
