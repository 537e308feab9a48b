"""The hierarchy method end to end on small random models of each family."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.errors import TacitError
from tacit.models import Model
from tacit.runs import measure, run
from tests.methods.hierarchy.world import write_probe

TREE = "name,parent\nman,\nwoman,\nperson,man\nplace,man\ntime,woman\nservice,woman\n"
WORDS = "topic,word,substitute\na,kind,poor\na,great,terrible\nb,tall,high\n"
SETTINGS = {"resamples": 4}


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart"])
def test_every_family_is_scored_and_measured(kind: str, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = write_probe(tmp_path, tree=TREE, words=WORDS)
    done = run(probe, model=tiny(kind), out=tmp_path / "run", settings=SETTINGS)
    method = "causal" if kind == "gpt2" else "aul"
    rows = done.answers.filter((pl.col("kind") == "headline") & (pl.col("region") == "man") & (pl.col("word") == 0))
    assert rows["logprob"][0] == pytest.approx(tiny(kind).likelihood(["People in man are kind."], method=method)[0])
    overall = done.measures.filter((pl.col("measure") == "C_w") & (pl.col("group") == "overall"))["value"][0]
    assert 0 < overall < 2
    assert len(done.tables["space"]) == 4


def test_measures_recompute_without_the_model(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = write_probe(tmp_path, tree=TREE, words=WORDS)
    done = run(probe, model=tiny("bert"), out=tmp_path / "run", settings=SETTINGS)
    before = (tmp_path / "run" / "measures.parquet").read_bytes()
    again = measure(tmp_path / "run")
    assert (tmp_path / "run" / "measures.parquet").read_bytes() == before
    assert all(done.tables[name].equals(again.tables[name]) for name in done.tables)


def test_t5_needs_another_likelihood_and_the_error_says_which(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = write_probe(tmp_path, tree=TREE, words=WORDS)
    with pytest.raises(TacitError, match="has no likelihood 'aul'; it has pll"):
        run(probe, model=tiny("t5"), out=tmp_path / "one", settings=SETTINGS)
    done = run(probe, model=tiny("t5"), out=tmp_path / "two", settings={**SETTINGS, "likelihood": "pll"})
    assert done.measures.filter(pl.col("measure") == "C_w")["value"].is_not_null().any()
