"""Comparing, reporting and measuring show in a terminal how far they are, if they take long."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.asking import progress
from tacit.asking.progress import announced, watching_steps
from tacit.cli.main import app
from tests.runs.making import make_probe
from tests.terminal import in_terminal


@pytest.fixture(scope="module")
def runs(tiny_folder: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder above the runs of one probe on two models."""
    folder = tmp_path_factory.mktemp("progress")
    models = [word for kind in ("bert", "distilbert") for word in ("--model", str(tiny_folder(kind)))]
    words = ["run", str(make_probe(folder / "probe")), *models, "--force", "--out", str(folder / "runs")]
    assert CliRunner().invoke(app, words).exit_code == 0
    return folder / "runs"


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is captured counts as a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.usefixtures("_terminal")
def test_steps_appear_only_after_a_while(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with watching_steps() as on_step:
        on_step("Comparing", 1, 5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with watching_steps() as on_step:
        for _ in announced(range(3), lambda number: f"Comparing {number}", on_step):
            time.sleep(0.3)
    shown = capsys.readouterr().err
    assert "Comparing 2" in shown
    assert "2/3" in shown


def test_nothing_is_drawn_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with watching_steps() as on_step:
        on_step("Comparing", 1, 5)
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "")


def test_a_report_says_in_a_terminal_which_figures_it_draws(runs: Path, tmp_path: Path) -> None:
    words = ["report", runs, "--out", tmp_path / "report.html", "--figures", tmp_path / "figures"]
    code, shown = in_terminal(words, tmp_path, impatient=True)
    assert code == 0
    assert re.search(r"Report: figures .* \d+/\d+", shown)
    assert "Written: " in shown
    _, quiet = in_terminal([*words, "-q"], tmp_path, impatient=True)
    assert quiet.strip() == ""


def test_a_comparison_says_in_a_terminal_what_it_compares(runs: Path, tmp_path: Path) -> None:
    code, shown = in_terminal(["compare", runs], tmp_path, columns=120, impatient=True)
    assert code == 0
    assert re.search(r"Comparing 2 models on old-or-new .* \d+/\d+", shown)


def test_a_pipe_sees_results_alone(runs: Path, tmp_path: Path) -> None:
    code = "import tacit.asking.progress as p; p.PATIENCE = 0.01; from tacit.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "compare", str(runs)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stderr == ""
    assert "Comparing" not in done.stdout
