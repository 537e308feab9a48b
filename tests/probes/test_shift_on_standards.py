"""On the standards, early stopping decides as the exact design does, with a tenth of the questions on clear words."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from tacit.probes.loading import load_probe
from tacit.runs import run

WORDS = "word,polarity\nmoney,neutral\ncity,neutral\nshow,neutral\n"
CLEARLY = 0.4


@pytest.mark.parametrize("standard", ["modern", "early-modern"])
def test_early_stopping_keeps_the_decisions_and_saves_nine_questions_in_ten(standard: str, tmp_path: Path) -> None:
    shutil.copy(load_probe("sentiment-shift").path("reviews"), tmp_path / "reviews.csv")
    (tmp_path / "lexicon.csv").write_text(WORDS, encoding="utf-8")
    (tmp_path / "probe.yaml").write_text(
        "method: shift\nmaterials: {lexicon: lexicon.csv, reviews: reviews.csv}\n", encoding="utf-8"
    )
    settings = {"calls": "balanced", "reviews_per_class": 75, "resamples": 100}
    exact, sequential = (
        run(tmp_path, model=standard, out=tmp_path / design, settings={**settings, "design": design}).tables["words"]
        for design in ("exact", "sequential")
    )
    decided = pl.DataFrame({"early": sequential["leaning"], "late": exact["leaning"]})
    assert decided.filter(pl.col("early") != "undecided", pl.col("early") != pl.col("late")).is_empty()
    assert exact["q"].is_between(sequential["low"] - 1e-12, sequential["high"] + 1e-12).all()
    clear = sequential.filter((exact["net_shift"].abs() >= CLEARLY).to_list())
    assert clear.height >= 1
    assert (clear["share_asked"] <= 0.1).all(), clear.select("word", "share_asked")
