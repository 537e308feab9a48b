"""`tacit rate` for counterknowledge probes: from the words of a model to a blind sheet, to a verbalizer."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tacit.cli.rate import app
from tacit.errors import TacitError
from tests.methods.counterknowledge.stereotypes import read_with_settings, write_probe


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    return write_probe(tmp_path).source


def command(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_words_of_a_model_become_a_verbalizer(probe: Path, tiny_folder: Callable[[str], Path]) -> None:
    sheet = probe.parent / "words.csv.sheet"
    asked = command("sheet", probe, "--model", tiny_folder("bert"), "--out", sheet, "--words", "6")
    assert "most prevalent words of 1 model" in asked.output
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        heading, *rows = list(csv.reader(file))
    assert 2 <= len(rows) <= 6
    with pytest.raises(TacitError, match="has no groups yet"):
        command("import", probe, sheet, "--rater", "ann")
    for number, row in enumerate(rows):
        row[heading.index("group")] = ("female", "male")[number % 2]
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([heading, *rows])
    result = command("import", probe, sheet, "--rater", "ann")
    verbalizer = probe.parent / "home" / f"verbalizer-{probe.parent.name}.csv"
    assert f"--set beside={verbalizer}" in result.output.replace("\n", "")
    materials, _ = read_with_settings(write_probe(probe.parent), beside=verbalizer)
    assert materials.beside == {row[1]: row[2] for row in rows}


def test_a_single_group_cannot_be_used_yet(probe: Path, tiny_folder: Callable[[str], Path]) -> None:
    sheet = probe.parent / "sheet.csv"
    command("sheet", probe, "--model", tiny_folder("bert"), "--out", sheet, "--words", "1")
    text = sheet.read_text(encoding="utf-8-sig").splitlines()
    sheet.write_text("\n".join([text[0], text[1].replace('"",""', '"male",""')]))
    assert "No word is female yet" in command("import", probe, sheet, "--rater", "ann").output
