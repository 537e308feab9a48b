"""A tree written by hand, as the README of `religions` shows, and models that know nothing: from files to sentences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import tacit
from tacit.models import Model
from tacit.runs import run
from tests.tiny import build

YAML = """method: hierarchy
materials:
  tree: crafts.csv
  words: words.csv
  templates:
    - Every {region} is {description}.
    - A typical {region} is {description}.
  neutral: [person]
"""
TREE = """name,parent
doctor,
artist,
surgeon,doctor
nurse,doctor
dentist,doctor
painter,artist
writer,artist
singer,artist
"""


def crafts(folder: Path, words: str) -> Path:
    """The three files of a small probe."""
    (folder / "crafts.csv").write_text(TREE)
    (folder / "words.csv").write_text(f"topic,word\n{words}")
    (folder / "crafts.yaml").write_text(YAML)
    return folder / "crafts.yaml"


def test_two_topics_of_three_words_run_from_the_files_to_the_summary(tmp_path: Path) -> None:
    words = "mind,wise\nmind,dull\nmind,clever\nlook,tall\nlook,fair\nlook,ugly\n"
    done = run(crafts(tmp_path, words), model=tacit.load("modern"), out=tmp_path / "run", settings={"resamples": 50})
    overall = done.measures.filter((pl.col("measure") == "C_w") & (pl.col("group") == "overall")).row(0, named=True)
    assert 0 < overall["low"] < overall["value"] < overall["high"]
    assert overall["caution"] == "only 6 words and 2 groups"
    assert done.tables["studies"].filter(pl.col("study") == "topic left out")["change_low"].is_not_null().all()
    assert "parts of the same group" in done.headline


@pytest.mark.parametrize("words", ["mind,wise\nmind,dull\n", "mind,wise\nlook,tall\nlook,fair\n"])
def test_even_fewer_words_give_values_without_a_claim(words: str, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    done = run(crafts(tmp_path, words), model=tiny("bert"), out=tmp_path / "run", settings={"resamples": 50})
    assert done.measures.filter((pl.col("measure") == "C_w") & pl.col("item").is_null())["value"].is_not_null().all()


def test_random_models_get_no_verdict(tmp_path: Path) -> None:
    """By chance one in twenty passes the positive control: of eight, at most one does."""
    probe = crafts(tmp_path, "mind,wise\nmind,dull\nmind,kind\nlook,tall\nlook,great\nlook,poor\n")
    settings = {"resamples": 20, "studies": 0, "represent": False}
    passed = 0
    for seed in range(8):
        model = tacit.load(build("bert", tmp_path / f"model-{seed}", seed=seed), force=True)
        done = run(probe, model=model, out=tmp_path / f"run-{seed}", settings=settings)
        passed += done.validity.can_be_interpreted
        if not done.validity.can_be_interpreted:
            assert "cannot be asked" in done.headline
            assert done.measures["verdict"].is_null().all()
            assert done.measures["p"].is_null().all()
    assert passed <= 1
