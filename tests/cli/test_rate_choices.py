"""`tacit rate` gives a contrast its two-choice sheet, and takes it back whole or not at all."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.cli.rate import app
from tacit.errors import TacitError
from tests.methods.contrast.contrasts import write_probe


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


def invoke(*words: str | Path) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return " ".join(result.output.split())


def fill(path: Path, blank: int = 0) -> None:
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, "choice": "1" if number >= blank else ""} for number, row in enumerate(rows))


def test_a_sheet_goes_out_and_its_choices_come_back(tmp_path: Path) -> None:
    probe, sheet = write_probe(tmp_path / "probe"), tmp_path / "sheet.csv"
    assert "4 sentences, 1 per adverb" in invoke("sheet", probe, "--out", sheet, "--each", "1")
    fill(sheet)
    output = invoke("import", probe, sheet, "--rater", "ana")
    kept = tmp_path / "home" / "choices-small.csv"
    assert "Added 4 choices by ana to" in output
    assert "no row was left blank." in output
    assert f"--set people={kept}" in output.replace(" ", "").replace("--setpeople", "--set people")
    with kept.open(encoding="utf-8") as file:
        assert {row["rater"] for row in csv.DictReader(file)} == {"ana"}


def test_an_import_says_how_many_rows_were_left_blank(tmp_path: Path) -> None:
    probe, sheet = write_probe(tmp_path / "probe"), tmp_path / "sheet.csv"
    invoke("sheet", probe, "--out", sheet, "--each", "1")
    fill(sheet, blank=3)
    output = invoke("import", probe, sheet, "--rater", "ana")
    assert "Added 1 choices by ana to" in output
    assert "; 3 rows were left blank." in output


def test_a_sheet_that_may_hold_choices_is_not_overwritten(tmp_path: Path) -> None:
    probe, sheet = write_probe(tmp_path / "probe"), tmp_path / "sheet.csv"
    invoke("sheet", probe, "--out", sheet)
    with pytest.raises(TacitError, match="may hold your work"):
        invoke("sheet", probe, "--out", sheet)


def test_an_empty_sheet_is_not_imported(tmp_path: Path) -> None:
    probe, sheet = write_probe(tmp_path / "probe"), tmp_path / "sheet.csv"
    invoke("sheet", probe, "--out", sheet)
    with pytest.raises(TacitError, match="no choices yet"):
        invoke("import", probe, sheet, "--rater", "ana")
    assert not (tmp_path / "home").exists()
