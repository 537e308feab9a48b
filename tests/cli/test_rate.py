"""`tacit rate`: from a model's fillings to a blind sheet, to the bank, to a sheet that asks for no more."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tacit.cli.rate import app
from tacit.errors import TacitError
from tacit.ratings import Bank

PROBE = """
method: valence
materials:
  scale: {low: old, high: new, points: [-1, 0, 1]}
  sentences:
    - {id: s1, group: Old, text: "Why [MASK] the man?", rho: -1}
    - {id: s2, group: New, text: "It was [MASK].", rho: 1}
"""
TEXTS = {"s1": "Why [MASK] the man?", "s2": "It was [MASK]."}


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    path = tmp_path / "mine.yaml"
    path.write_text(PROBE, encoding="utf-8")
    return path


@pytest.fixture
def sheet(probe: Path, tiny_folder: Callable[[str], Path]) -> Path:
    path = probe.parent / "sheet.csv"
    ask_for(probe, path, tiny_folder("bert"))
    return path


def command(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def ask_for(probe: Path, out: Path, model: Path, *more: str) -> Result:
    return command("sheet", probe, "--model", model, "--out", out, "--top", "4", *more)


def fill(path: Path, score: str) -> int:
    with path.open(encoding="utf-8-sig", newline="") as file:
        heading, *rows = list(csv.reader(file))
    for row in rows:
        row[heading.index("score")] = score
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([heading, *rows])
    return len(rows)


def test_a_sheet_asks_for_what_the_model_fills_in(sheet: Path) -> None:
    assert fill(sheet, "") == 8


def test_an_imported_sheet_is_in_the_bank_and_is_not_asked_again(
    probe: Path, sheet: Path, tiny_folder: Callable[[str], Path]
) -> None:
    rows = fill(sheet, "-1")
    result = command("import", probe, sheet, "--rater", "ann")
    assert f"{rows} ratings by ann" in result.output
    assert {(rating.rater, rating.score) for rating in Bank().ratings("mine", TEXTS)} == {("ann", -1)}
    again = ask_for(probe, sheet.with_name("again.csv"), tiny_folder("bert"))
    assert "Nothing to rate" in again.output
    assert not sheet.with_name("again.csv").exists()


def test_a_second_rater_is_asked_for_all_of_it_and_the_disputes_are_shown(
    probe: Path, sheet: Path, tiny_folder: Callable[[str], Path]
) -> None:
    fill(sheet, "-1")
    command("import", probe, sheet, "--rater", "ann")
    second = sheet.with_name("second.csv")
    asked = ask_for(probe, second, tiny_folder("bert"), "--rater", "bob")
    assert f"tacit rate import {probe} {second} --rater bob" in asked.output
    assert fill(second, "1") == 8
    result = command("import", probe, second, "--rater", "bob")
    assert "Krippendorff's alpha" in result.output
    assert result.output.count("disputed: ") == 8


def test_a_bad_row_imports_nothing(probe: Path, sheet: Path) -> None:
    fill(sheet, "0.5")
    with pytest.raises(TacitError, match=r"sheet\.csv, row 2: .*not on the scale.* Nothing was imported"):
        command("import", probe, sheet)
    assert Bank().ratings("mine", TEXTS) == []


def test_changing_a_score_needs_replace(probe: Path, sheet: Path) -> None:
    fill(sheet, "-1")
    command("import", probe, sheet, "--rater", "ann")
    command("import", probe, sheet, "--rater", "ann")
    fill(sheet, "1")
    with pytest.raises(TacitError, match=r"as -1, not 1\. Use --replace"):
        command("import", probe, sheet, "--rater", "ann")
    command("import", probe, sheet, "--rater", "ann", "--replace")
    assert {rating.score for rating in Bank().ratings("mine", TEXTS)} == {1}


def test_a_sheet_is_never_overwritten(probe: Path, sheet: Path, tiny_folder: Callable[[str], Path]) -> None:
    with pytest.raises(TacitError, match=r"sheet\.csv already exists and may hold your work"):
        ask_for(probe, sheet, tiny_folder("bert"))


def test_an_empty_sheet_is_refused(probe: Path, sheet: Path) -> None:
    with pytest.raises(TacitError, match="has no scores yet"):
        command("import", probe, sheet)


def test_a_probe_that_people_do_not_rate_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text("method: hierarchy\n", encoding="utf-8")
    with pytest.raises(TacitError, match="other is not rated by people"):
        command("sheet", path, "--out", tmp_path / "sheet.csv")
