"""A run keeps the ratings that it used: later ones change nothing until they are asked for, and that is recorded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import RunError
from tacit.methods.valence import Valence, ValenceSettings
from tacit.models import Model
from tacit.probes import load_probe
from tacit.ratings import Bank, Rating
from tacit.reports.sections import sections
from tacit.runs import Run, compare, measure, open_run, run
from tests.runs.making import make_probe, score


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


@pytest.fixture
def probe(tmp_path: Path) -> Path:
    return make_probe(tmp_path / "probe")


@pytest.fixture
def first(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> Run:
    return run(probe, tiny("bert"), tmp_path / "runs" / "bert", cache=None)


@pytest.fixture
def second(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> Run:
    return run(probe, tiny("distilbert"), tmp_path / "runs" / "distilbert", cache=None)


def rate_more(probe: Path, done: Run, rater: str = "ann") -> None:
    """Somebody else finds one filling of each sentence newer than the first rater did, and agrees on the others."""
    texts = Valence().materials(load_probe(probe), ValenceSettings()).texts
    ratings = []
    for _, fillings in done.answers.sort("sentence", "rank").group_by("sentence", maintain_order=True):
        tokens = fillings["token"].to_list()
        newer = next(token for token in tokens if score(token) < 1)
        ratings += [Rating(fillings["sentence"][0], token, score(token) + (token == newer), rater) for token in tokens]
    Bank().add(load_probe(probe).name, texts, ratings)


def beta(done: Run) -> float:
    return done.measures.row(by_predicate=(pl.col("measure") == "beta") & (pl.col("group") == "all"), named=True)[
        "value"
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_later_ratings_do_not_move_a_run(probe: Path, first: Run) -> None:
    before = contents(first.folder)
    rate_more(probe, first)
    assert beta(measure(first.folder)) == beta(first)
    assert contents(first.folder) == before


def test_newer_ratings_are_read_when_asked_for_and_that_is_recorded(probe: Path, first: Run) -> None:
    earlier = beta(first)
    rate_more(probe, first)
    newer = measure(first.folder, ratings="current")
    assert beta(newer) > earlier
    assert newer.record.materials["(ratings)"] != first.record.materials["(ratings)"]
    assert newer.record.ratings_read
    assert not first.record.ratings_read
    assert "Ratings read again on" in (first.folder / "summary.md").read_text()
    assert "ann" in newer.tables["raters"]["rater"].to_list()
    kept = [path.name for path in (first.folder / "materials").glob("ratings-*.csv")]
    assert kept == [newer.record.copies["(ratings)"]]
    assert beta(measure(first.folder)) == beta(newer)


def test_asking_for_the_same_ratings_again_changes_no_byte(first: Run) -> None:
    before = contents(first.folder)
    measure(first.folder, ratings="current")
    assert contents(first.folder) == before


def test_a_run_is_measured_where_the_raters_bank_is_not(
    probe: Path, tiny: Callable[[str], Model], first: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate_more(probe, first)
    own = run(probe, tiny("bert"), tmp_path / "own", {"raters": "ann"}, cache=None)
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "elsewhere"))
    assert beta(measure(own.folder)) == beta(own)
    with pytest.raises(Exception, match="'ann' has not rated this probe"):
        measure(own.folder, ratings="current")


def test_runs_with_other_ratings_are_not_compared_and_the_way_out_is_told(probe: Path, first: Run, second: Run) -> None:
    assert compare([first, second]).sentences
    rate_more(probe, first)
    newer = measure(first.folder, ratings="current")
    with pytest.raises(RunError, match=r"different ratings \(recompute both with `tacit measure --ratings current`"):
        compare([newer, second])
    assert compare([newer, measure(second.folder, ratings="current")]).sentences


def test_runs_with_other_ratings_have_sections_of_their_own(probe: Path, first: Run, second: Run) -> None:
    assert len(sections([first, second])) == 1
    rate_more(probe, first)
    assert len(sections([measure(first.folder, ratings="current"), second])) == 2


def test_a_folder_with_other_ratings_is_not_mixed(probe: Path, tiny: Callable[[str], Model], first: Run) -> None:
    rate_more(probe, first)
    with pytest.raises(RunError, match=r"with other ratings. Recompute it with `tacit measure .*--ratings current`"):
        run(probe, tiny("bert"), first.folder, cache=None)


def test_an_interrupted_run_goes_on_with_the_ratings_of_now(
    probe: Path, tiny: Callable[[str], Model], first: Run
) -> None:
    earlier, record = beta(first), json.loads((first.folder / "run.json").read_text())
    (first.folder / "run.json").write_text(json.dumps({**record, "status": "asking"}))
    rate_more(probe, first)
    assert beta(run(probe, tiny("bert"), first.folder, cache=None)) > earlier


def test_a_run_of_an_older_tacit_opens_and_is_measured_when_asked(first: Run, tmp_path: Path) -> None:
    old = Path(shutil.copytree(first.folder, tmp_path / "old"))
    record = json.loads((old / "run.json").read_text())
    for part in ("materials", "copies"):
        del record[part]["(ratings)"]
    del record["ratings_read"]
    (old / "run.json").write_text(json.dumps(record))
    next((old / "materials").glob("ratings-*.csv")).unlink()
    assert beta(open_run(old)) == beta(first)
    with pytest.raises(RunError, match=r"keeps no ratings: an older Tacit wrote it\. Add `--ratings current`"):
        measure(old)
    assert beta(measure(old, ratings="current")) == beta(first)
    assert beta(measure(old)) == beta(first)


def test_changed_kept_ratings_are_noticed(first: Run) -> None:
    path = next((first.folder / "materials").glob("ratings-*.csv"))
    path.write_bytes(path.read_bytes().replace(b'"1.0"', b'"0.0"', 1))
    with pytest.raises(RunError, match=r"ratings-\w+.csv is missing, or not what the run used"):
        measure(first.folder)
    assert beta(measure(first.folder, ratings="current")) == beta(first)


def test_the_command_line_takes_kept_and_current(probe: Path, first: Run) -> None:
    rate_more(probe, first)
    assert CliRunner().invoke(app, ["measure", str(first.folder)]).exit_code == 0
    assert beta(open_run(first.folder)) == beta(first)
    assert CliRunner().invoke(app, ["measure", str(first.folder), "--ratings", "current"]).exit_code == 0
    assert beta(open_run(first.folder)) > beta(first)
    wrong = CliRunner().invoke(app, ["measure", str(first.folder), "--ratings", "newest"])
    assert wrong.exit_code == 2
    with pytest.raises(RunError, match="Choose 'kept' or 'current'"):
        measure(first.folder, ratings="newest")  # type: ignore[arg-type]
