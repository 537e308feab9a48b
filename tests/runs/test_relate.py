"""`relate`: what the regional measure goes together with, on the standard `modern` and a classifier made from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import TacitError
from tacit.models import Model
from tacit.probes import load_probe
from tacit.runs import run
from tacit.runs.relate import Relation, relate
from tacit.tuning import ClassifierTuning, tune_classifier
from tests.methods.prefix.test_measures import write

THINGS = ("film", "story", "plot", "end", "music", "cast", "book", "show", "dinner", "day")
WORDS = (("wonderful", "good"), ("terrible", "bad"), ("great", "good"), ("awful", "bad"))
# Some texts say both, so that little is needed to change their labels.
MIXED = (("great but awful", "bad"), ("terrible but wonderful", "good"))
TEXTS = "text,label\n" + "".join(f"the {a} was {b},{label}\n" for a in THINGS for b, label in (*WORDS, *MIXED))
SMALL = {"countries": 5, "cities": 0, "studies": 0, "represent": False, "resamples": 20}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of regional on `modern`, and of regional-downstream on a classifier made from it."""
    folder = tmp_path_factory.mktemp("relate")
    texts = folder / "texts.csv"
    texts.write_text(TEXTS, encoding="utf-8")
    done = run("regional", model="modern", out=folder / "regional", settings=SMALL, cache=None)
    countries = done.tables["regions"].filter(pl.col("level") == "country")["region"].to_list()
    options = ClassifierTuning(rate=3e-4, epochs=4, patience=4, held_out=0.2)
    tune_classifier("modern", texts, folder / "classifier", options)
    settings = {"texts": str(texts), "regions": countries, "resamples": 20}
    run("regional-downstream", model=folder / "classifier", out=folder / "down", settings=settings, cache=None)
    return {"regional": folder / "regional", "down": folder / "down"}


def test_counts_of_names_and_label_changes_are_correlated_country_by_country(folders: dict[str, Path]) -> None:
    made = relate([folders["regional"], folders["down"]])
    assert made.table["over"].to_list() == ["countries"] * 5
    regions = pl.read_parquet(folders["regional"] / "regions.parquet")
    counts = pl.read_csv(load_probe("regional").path("tree").with_name("name-counts.csv"))
    down = pl.read_parquet(folders["down"] / "regions.parquet")
    joined = regions.join(counts, on="region").filter(pl.col("level") == "country").join(down, on="region")
    by_what = {(row["first"], row["second"]): row for row in made.table.iter_rows(named=True)}
    apart = "distance from the others of its continent"
    counted = by_what[apart, "how often its name occurs in the training text"]
    assert counted["value"] == pytest.approx(spearmanr(joined["apart"], joined["modern"]).statistic)
    assert counted["n"] == len(joined)
    changed = by_what[apart, "share of labels that naming it changes"]
    assert changed["value"] == pytest.approx(spearmanr(joined["apart"], joined["changed"]).statistic)
    assert changed["low"] < changed["value"] < changed["high"]


def test_a_classifier_knows_the_model_that_it_was_made_from(folders: dict[str, Path]) -> None:
    with pytest.raises(TacitError, match="takes runs of regional and of regional-downstream"):
        relate([folders["down"]])
    with pytest.raises(TacitError, match="1 regional and 0 downstream runs make no pairs"):
        relate([folders["regional"]], in_order=True)


def test_the_command_says_it_plainly_and_writes_the_table(folders: dict[str, Path], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["relate", str(folders["regional"]), "--out", str(tmp_path / "r.csv")])
    assert done.exit_code == 0, done.output
    assert "modern: C_w and how often its name occurs in the training text" in done.output
    assert pl.read_csv(tmp_path / "r.csv")["n"].to_list()[1] >= 20


def test_a_model_that_cannot_be_asked_is_refused(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    texts = "text,label\nthe service was kind,neutral\nthe man was poor,negative\n"
    run(write(tmp_path, texts=texts), model=tiny("classifier"), out=tmp_path / "run", settings={"resamples": 10})
    with pytest.raises(TacitError, match="cannot be used"):
        relate([tmp_path / "run"])


@pytest.mark.parametrize(
    ("over", "n", "low", "said"),
    [
        ("countries", 200, 0.1, "rank correlation (0.30"),
        ("countries", 200, -0.1, "no correlation shown (0.30"),
        ("models", 4, 0.1, "cannot tell; of 4 models, any order may be chance"),
        ("models", 6, -0.2, "no correlation shown"),
    ],
)
def test_a_correlation_is_never_claimed_beyond_its_interval(over: str, n: int, low: float, said: str) -> None:
    assert said in Relation("a", "b", over, "m", 0.3, low, 0.5, 0.04, n).sentence()
    assert "cannot tell" in Relation("a", "b", over, "m", np.nan, np.nan, np.nan, np.nan, 3).sentence()
