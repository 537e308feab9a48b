"""The two-choice sheet is blind, shuffled and safe in a spreadsheet, and imports without loss."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.methods.contrast import Contrast
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.people import Choice, add_choices, read_choice_sheet, write_choice_sheet
from tests.methods.contrast.contrasts import SENTENCES, read, settings, value, write_probe

METHOD = Contrast()


@pytest.fixture
def materials(tmp_path: Path) -> ContrastMaterials:
    return read(write_probe(tmp_path / "probe"))


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))


def fill(path: Path, choose: dict[str, str] | str, filled: Path) -> Path:
    rows = rows_of(path)
    for row in rows:
        row["choice"] = choose if isinstance(choose, str) else choose.get(row["text"], "")
    with filled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return filled


def test_the_sheet_does_not_show_which_word_the_sentence_was_written_with(tmp_path: Path) -> None:
    materials, path = read("intensifier"), tmp_path / "sheet.csv"
    assert write_choice_sheet(path, "intensifier", materials, each=10, seed=3) == 240
    rows = rows_of(path)
    assert {"id", "adverb", "category"}.isdisjoint(rows[0])
    assert not any(word in row["row"] for row in rows for word in materials.words)
    not_first = sum(row["first"] == "not" for row in rows)
    assert 90 <= not_first <= 150
    texts = [item.text.replace("[MASK]", "_____") for item in materials.items]
    order = [texts.index(row["text"]) for row in rows]
    assert order != sorted(order)
    own = Counter(word for row in rows for word in (row["first"], row["second"]) if word != "not")
    assert set(own.values()) == {10}


def test_the_same_seed_gives_the_same_sheet(tmp_path: Path, materials: ContrastMaterials) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_choice_sheet(tmp_path / name, "small", materials, each=None, seed=seed)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != (tmp_path / "c").read_bytes()


def test_a_sentence_that_a_spreadsheet_would_run_is_neutralized_and_can_be_imported(tmp_path: Path) -> None:
    sentences = SENTENCES.replace("He is [MASK] late.", "=1+1 is [MASK] late.")
    materials, path = read(write_probe(tmp_path / "probe", sentences=sentences)), tmp_path / "sheet.csv"
    write_choice_sheet(path, "small", materials, each=None, seed=0)
    assert any(row["text"].startswith("'=1+1") for row in rows_of(path))
    filled = fill(path, "1", tmp_path / "filled.csv")
    assert len(read_choice_sheet(filled, "small", materials, rater="ana")) == 8


def test_a_choice_is_the_word_or_the_number_of_its_column(tmp_path: Path, materials: ContrastMaterials) -> None:
    path = tmp_path / "sheet.csv"
    write_choice_sheet(path, "small", materials, each=None, seed=0)
    rows = rows_of(path)
    by_number = read_choice_sheet(fill(path, "2", tmp_path / "n.csv"), "small", materials, rater="ana")
    words = {row["text"]: row["second"].upper() for row in rows}
    by_word = read_choice_sheet(fill(path, words, tmp_path / "w.csv"), "small", materials, rater="ana")
    assert by_number == by_word
    assert [choice.choice for choice in by_word] == [row["second"] for row in rows]


@pytest.mark.parametrize(
    ("column", "cell", "problem"),
    [
        ("choice", "perhaps", r"row 2: the choice must be '\w+' or '\w+' \(or 1 or 2\), not 'perhaps'"),
        ("row", "abc", "row 2: the code 'abc' belongs to no item"),
        ("first", "purple", "row 2: the two words are not those"),
    ],
)
def test_one_wrong_row_rejects_the_whole_sheet(
    tmp_path: Path, materials: ContrastMaterials, column: str, cell: str, problem: str
) -> None:
    path = tmp_path / "sheet.csv"
    write_choice_sheet(path, "small", materials, each=None, seed=0)
    rows = [{**row, "choice": "1"} for row in rows_of(path)]
    rows[0][column] = cell
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(TacitError, match=problem):
        read_choice_sheet(path, "small", materials, rater="ana")


def test_a_changed_choice_needs_replace(tmp_path: Path) -> None:
    choices_file = tmp_path / "choices.csv"
    assert add_choices(choices_file, [Choice("never-1", "never", "ana")]) == 1
    before = choices_file.read_bytes()
    with pytest.raises(TacitError, match="ana already chose 'never' in never-1"):
        add_choices(choices_file, [Choice("never-2", "not", "ana"), Choice("never-1", "not", "ana")])
    assert choices_file.read_bytes() == before
    assert (
        add_choices(choices_file, [Choice("never-1", "not", "ana"), Choice("never-1", "never", "bo")], replace=True)
        == 2
    )


def test_people_are_scored_by_the_same_measure_as_models(tmp_path: Path, materials: ContrastMaterials) -> None:
    choices_file = tmp_path / "choices.csv"
    for rater, own in (("ana", ("never-1", "always-1")), ("bo", ("never-1",)), ("cy", ("never-1",))):
        ids = ("never-1", "always-1")
        add_choices(choices_file, [Choice(id_, id_.split("-")[0] if id_ in own else "not", rater) for id_ in ids])
    answers = METHOD.given_answers(materials, settings(people=choices_file))
    tables = METHOD.measure(materials, settings(), answers["people"])
    assert value(tables, "acc")["value"] == 0.5
    assert value(tables, "acc", "never")["value"] == 1.0
    assert value(tables, "acc", "always")["value"] == 0.0
    assert value(tables, "MRR")["value"] is None
    headline = METHOD.headline({"people": tables})
    assert headline.startswith('It cannot be told whether people prefer the adverb or "not": the adverb wins in 50%')
    assert answers["people"]["made"].unique().to_list() == ["chosen by 3 people"]


def test_as_many_people_on_both_sides_is_a_tie(tmp_path: Path, materials: ContrastMaterials) -> None:
    choices_file = tmp_path / "choices.csv"
    add_choices(choices_file, [Choice("never-1", "never", "ana"), Choice("never-1", "not", "bo")])
    answers = METHOD.given_answers(materials, settings(people=choices_file))
    assert METHOD.measure(materials, settings(), answers["people"])["items"]["tie"].to_list() == [True]
