"""From the shell: run, list, recompute, compare, report and card, with one sentence where something is wrong."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import TacitError
from tests.runs.making import make_printed_probe, make_probe


@pytest.fixture(scope="module")
def runs(tiny_folder: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder above the runs of one probe on two models. Read them, do not change them."""
    folder = tmp_path_factory.mktemp("cli")
    probe = make_probe(folder / "probe")
    models = [word for kind in ("bert", "distilbert") for word in ("--model", str(tiny_folder(kind)))]
    told = _tacit("run", probe, *models, "--force", "--out", folder / "runs")
    assert "Next: tacit report" in told
    assert "tacit compare" in told
    return folder / "runs"


def test_each_model_has_its_folder(runs: Path) -> None:
    assert len(list(runs.glob("old-or-new/*/run.json"))) == 2


def test_a_single_run_goes_into_the_folder_named(tmp_path: Path) -> None:
    _tacit("run", make_printed_probe(tmp_path / "probe"), "--out", tmp_path / "first")
    assert (tmp_path / "first" / "run.json").is_file()


def test_a_run_that_is_there_says_so(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    _tacit("run", probe, "--out", tmp_path / "first")
    assert "Nothing to do" in _tacit("run", probe, "--out", tmp_path / "first")


def test_one_model_that_fails_does_not_spoil_the_rest(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe")
    broken = Path(shutil.copytree(tiny_folder("bert"), tmp_path / "broken"))
    (broken / "model.safetensors").write_bytes(b"")
    arguments = [
        "run",
        probe,
        "--model",
        broken,
        "--model",
        tiny_folder("bert"),
        "--out",
        tmp_path / "runs",
    ]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 1
    assert "failed on" in done.output
    assert len(list((tmp_path / "runs").rglob("measures.parquet"))) == 1


def test_settings_reach_the_run(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    _tacit("run", probe, "--out", tmp_path / "run", "--set", "top=3", "--mode", "as-published")
    told = (tmp_path / "run" / "summary.md").read_text()
    assert "--set top=3 --mode as-published" in told
    with pytest.raises(TacitError, match="takes key=value"):
        _tacit("run", probe, "--set", "top")


def test_runs_are_listed(runs: Path) -> None:
    told = _tacit("runs", runs)
    assert told.count("complete") == 2
    assert "old-or-new" in told


def test_measures_are_recomputed(runs: Path) -> None:
    assert _tacit("measure", runs).count("measures.parquet") == 2


def test_models_are_compared_and_the_table_can_be_kept(runs: Path, tmp_path: Path) -> None:
    told = _tacit("compare", runs, "--out", tmp_path / "table.csv")
    assert "12 sentences of all groups." in told
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["measure"] for row in rows} == {"beta", "delta"}
    with pytest.raises(TacitError, match=r"\.csv, \.parquet or \.json"):
        _tacit("compare", runs, "--out", tmp_path / "table.docx")


def test_a_report_is_written(runs: Path, tmp_path: Path) -> None:
    told = _tacit("report", runs, "--out", tmp_path / "deep" / "report.html")
    assert "Written:" in told
    page = (tmp_path / "deep" / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert '<h2 id="overview-h">At a glance</h2>' in page


def test_a_report_is_written_for_a_paper_and_for_a_spreadsheet(runs: Path, tmp_path: Path) -> None:
    assert "Written:" in _tacit("report", runs, "--format", "md", "--out", tmp_path / "paper.md")
    assert "| question |" in (tmp_path / "paper.md").read_text()
    told = _tacit("report", runs, "--format", "csv", "--out", tmp_path / "tables")
    assert f"3 tables in {tmp_path / 'tables'}" in told


def test_a_table_is_exported_to_the_terminal_or_a_file(runs: Path, tmp_path: Path) -> None:
    one = next(runs.glob("old-or-new/bert*"))
    assert _tacit("export", one).startswith("measure,group,item,value,low,high")
    assert "\\toprule" in _tacit("export", one, "--format", "tex")
    _tacit("export", one, "--format", "xlsx", "--out", tmp_path / "run.xlsx")
    assert (tmp_path / "run.xlsx").read_bytes().startswith(b"PK")
    with pytest.raises(TacitError, match="needs a file"):
        _tacit("export", one, "--format", "xlsx")
    with pytest.raises(TacitError, match="did you mean 'fillings'"):
        _tacit("export", one, "--table", "filling")


def test_a_card_holds_numbers_and_warnings(runs: Path, tmp_path: Path) -> None:
    one = next(runs.glob("old-or-new/bert*"))
    _tacit("card", one, "--out", tmp_path / "card.md")
    _, front, text = (tmp_path / "card.md").read_text().split("---\n", 2)
    metrics = YAML(typ="safe").load(front)["model-index"][0]["results"][0]["metrics"]
    assert {"beta", "delta"} <= {metric["type"] for metric in metrics}
    assert "### Limits\n\n- It shows nothing about people." in text
    with pytest.raises(TacitError, match="about one model"):
        _tacit("card", runs)


def test_probes_are_listed_and_told() -> None:
    assert "temporal" in _tacit("probes")
    told = _tacit("probes", "temporal-paper")
    assert "What it does not show:" in told
    with pytest.raises(TacitError, match="did you mean 'temporal'"):
        _tacit("probes", "temporl")


@pytest.mark.parametrize("command", ["compare", "report", "card", "measure"])
def test_a_folder_that_is_no_run_is_told(command: str, tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="is not a run"):
        _tacit(command, tmp_path)


def _tacit(*arguments: object) -> str:
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None:
        raise done.exception
    return done.output
