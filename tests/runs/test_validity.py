"""A model that cannot be asked gets its numbers and the reason, but no verdict, comparison or finding, anywhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import RunError
from tacit.methods.base import Validity
from tacit.methods.valence import Valence
from tacit.models import Model
from tacit.reports import report
from tacit.runs import Run, card, compare, measure, open_run, run
from tests.runs.making import make_probe

REASON = "its fillings are mostly punctuation (91 %)"


@pytest.fixture
def unasked(two_runs: tuple[Run, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose positive control fails."""
    folder = Path(shutil.copytree(two_runs[0].folder, tmp_path / "unasked"))
    with monkeypatch.context() as patch:
        patch.setattr(Valence, "validity", lambda _self, _tables: Validity("none", REASON))
        return measure(folder)


def test_the_run_says_why_and_nothing_else(unasked: Run) -> None:
    opened = open_run(unasked.folder)
    assert opened.headline == f"{opened.model} cannot be asked this: {REASON}."
    assert not opened.validity.can_be_interpreted
    assert opened.sentences == ()


def test_its_measures_keep_their_values_but_no_test_or_verdict(unasked: Run, two_runs: tuple[Run, Run]) -> None:
    assert unasked.measures["value"].equals(two_runs[0].measures["value"])
    for name in ("p", "p_adjusted", "verdict"):
        assert unasked.measures[name].is_null().all()


def test_its_summary_has_no_table(unasked: Run) -> None:
    text = (unasked.folder / "summary.md").read_text()
    assert "cannot be asked this" in text
    assert "nothing can be concluded" in text
    assert "| measure |" not in text


def test_its_card_has_no_metrics(unasked: Run) -> None:
    _, front, text = card([unasked]).split("---\n", 2)
    assert YAML(typ="safe").load(front)["model-index"][0]["results"] == []
    assert "cannot be asked this" in text
    assert "| measure |" not in text


def test_it_is_not_compared(unasked: Run, two_runs: tuple[Run, Run]) -> None:
    with pytest.raises(RunError, match="cannot be asked this, because its fillings are mostly punctuation"):
        compare([two_runs[1], unasked])


def test_the_page_draws_only_the_other_model(unasked: Run, two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    alone = report([two_runs[1]], tmp_path / "alone.html").read_text()
    both = report([unasked, two_runs[1]], tmp_path / "both.html").read_text()
    assert f"{unasked.model} cannot be asked this" in both
    assert "its fillings are mostly punctuation" in both
    assert both.count("<figure") == alone.count("<figure") > 0
    only = report([unasked], tmp_path / "only.html").read_text()
    assert "<figure" not in only
    assert "Key measures" not in only


def test_a_weak_control_is_a_caution(
    two_runs: tuple[Run, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(two_runs[0].folder, tmp_path / "weak"))
    monkeypatch.setattr(Valence, "validity", lambda _self, _tables: Validity("weak", REASON))
    weak = measure(folder)
    assert weak.sentences
    assert f"- Caution: {REASON}." in (folder / "summary.md").read_text()
    page = report([weak], tmp_path / "weak.html").read_text()
    assert "Read with care" in page
    assert REASON in page


def test_the_terminal_says_why(
    tiny_folder: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Valence, "validity", lambda _self, _tables: Validity("none", REASON))
    probe = make_probe(tmp_path / "probe")
    models = [word for kind in ("bert", "distilbert") for word in ("--model", str(tiny_folder(kind)))]
    done = CliRunner().invoke(app, ["run", str(probe), *models, "--out", str(tmp_path / "runs")])
    assert done.output.count(f"cannot be asked this: {REASON}.") == 2
    assert "tacit compare" not in done.output


def test_a_summary_is_short(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    done = run(make_probe(tmp_path / "probe"), tiny("bert"), tmp_path / "run", cache=None)
    table = [line for line in (tmp_path / "run" / "summary.md").read_text().splitlines() if line.startswith("|")]
    assert len(table) <= 12
    assert done.headline not in done.sentences
    assert done.measures.filter(pl.col("item").is_null()).height > 10
