"""The prefix method end to end on a small random classifier."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.models import Model
from tacit.runs import run
from tests.methods.prefix.test_measures import write


def test_a_classifier_is_asked_with_and_without_each_region(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    texts = "text\nthe service was kind\nthe man was poor\n"
    probe = write(tmp_path, texts=texts)
    done = run(probe, model=tiny("classifier"), out=tmp_path / "run", settings={"resamples": 10})
    assert done.record.asked == 2 * (1 + 6 + 1)
    labels = tiny("classifier").classify(["I am from Bland. the man was poor"])[0]
    key = "North > Bland"
    kept = done.answers.filter((pl.col("region") == key) & (pl.col("text") == 1)).sort("part")["probability"]
    assert kept.to_list() == pytest.approx([label.probability for label in labels])
    assert done.tables["regions"]["risen"].is_between(0, 1).all()
