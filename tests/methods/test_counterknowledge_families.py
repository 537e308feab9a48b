"""The whole way through small random models: every family answers the probe and gives tables that recompute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.models import Model
from tacit.runs.measuring import measure
from tacit.runs.running import run
from tests.methods.stereotypes import write_probe


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "bart", "t5"])
def test_every_family_answers_and_its_run_recomputes(tmp_path: Path, tiny: Callable[[str], Model], kind: str) -> None:
    write_probe(tmp_path)
    settings = {"resamples": 50, "tops": "1,3"}
    done = run(tmp_path / "probe.yaml", model=tiny(kind), out=tmp_path / "run", settings=settings)
    items = pl.read_parquet(tmp_path / "run" / "items.parquet")
    assert items.height == 3 * 4 * 4
    assert items.select(pl.col("first", "second").is_between(0, 1).all()).row(0) == (True, True)
    before = done.measures
    assert measure(tmp_path / "run").measures.equals(before)


def test_segments_and_one_text_are_told_apart_by_a_model_that_knows_segments(
    tmp_path: Path, tiny: Callable[[str], Model]
) -> None:
    probe = write_probe(tmp_path)
    margins = {}
    for separate in (True, False):
        settings = {"resamples": 50, "separate": separate}
        measures = run(probe.source, model=tiny("bert"), out=tmp_path / str(separate), settings=settings).measures
        margins[separate] = measures.filter((pl.col("measure") == "margin, all words") & pl.col("item").is_null())
    groups = {separate: dict(found.select("group", "value").rows()) for separate, found in margins.items()}
    assert groups[True]["base"] == groups[False]["base"]
    assert groups[True]["pro"] != groups[False]["pro"]
