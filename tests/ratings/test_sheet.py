"""Sheets are blind, survive a spreadsheet, and come back whole or not at all."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.ratings import Rating, ScaleShape, TokenToRate, read_scale, read_sheet, write_sheet
from tacit.ratings.sheet import COLUMNS
from tacit.ratings.spreadsheet import restore

SCALE = read_scale(ScaleShape.model_validate({"low": "old", "high": "new", "points": [-1, -0.5, 0, 0.5, 1]}))
TEXTS = {"s1": 'He said, "why wilt [MASK] go?"', "s2": "=Fare [MASK] well, Zoë."}
ASKED = [
    TokenToRate("s1", "thou"),
    TokenToRate("s1", "Thou"),
    TokenToRate("s1", "you"),
    TokenToRate("s2", "=you"),
    TokenToRate("s2", "##eth"),
]
TOKENS = {("s1", "thou"), ("s1", "you"), ("s2", "=you"), ("s2", "##eth")}

Table = list[list[str]]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    write_sheet(path, "temporal", TEXTS, ASKED, seed=1)
    return path


def table_of(path: Path) -> Table:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def save(path: Path, table: Table, *, delimiter: str = ",", end: str = "\r\n", mark: bool = True) -> Path:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(table)
    path.write_bytes(text.getvalue().encode("utf-8-sig" if mark else "utf-8"))
    return path


def fill(path: Path, change: Callable[[Table], None] | None = None, score: str = "-1", **saved: object) -> Path:
    table = table_of(path)
    for row in table[1:]:
        row[COLUMNS.index("score")] = score
    if change:
        change(table)
    return save(path, table, **saved)  # type: ignore[arg-type]


def read(path: Path) -> list[Rating]:
    return read_sheet(path, "temporal", TEXTS, SCALE, rater="ann", date="2026-01-02")


def test_a_sheet_holds_sentence_and_token_and_an_empty_score_and_nothing_of_models(sheet: Path) -> None:
    heading, *rows = table_of(sheet)
    assert heading == ["row", "sentence", "text", "token", "score", "note"]
    assert {(row[1], restore(row[3])) for row in rows} == TOKENS
    assert all(restore(row[2]) == TEXTS[row[1]] and row[4] == row[5] == "" for row in rows)


def test_a_sheet_opens_as_unicode_in_a_spreadsheet(sheet: Path) -> None:
    assert sheet.read_bytes().startswith(b"\xef\xbb\xbf")


def test_no_cell_would_run_as_a_formula(sheet: Path) -> None:
    assert not [cell for row in table_of(sheet) for cell in row if cell[:1] in set("=+-@\t\r")]


def test_the_order_says_nothing_and_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    asked = [TokenToRate("s1", f"word{i:02}") for i in range(30)]

    def order(name: str, seed: int, given: list[TokenToRate]) -> list[str]:
        write_sheet(tmp_path / name, "temporal", TEXTS, given, seed)
        return [row[3] for row in table_of(tmp_path / name)[1:]]

    first = order("a.csv", 1, asked)
    assert first == order("b.csv", 1, asked[::-1])
    assert first != order("c.csv", 2, asked)
    assert first != sorted(first)


@pytest.mark.parametrize(
    "saved",
    [{}, {"delimiter": ";"}, {"delimiter": "\t"}, {"end": "\n"}, {"mark": False}, {"delimiter": ";", "end": "\n"}],
)
def test_a_round_trip_through_a_spreadsheet_loses_nothing(sheet: Path, saved: dict[str, object]) -> None:
    ratings = read(fill(sheet, score="-0,5", **saved))
    assert {(rating.sentence, rating.token) for rating in ratings} == TOKENS
    assert {(rating.score, rating.rater, rating.date) for rating in ratings} == {(-0.5, "ann", "2026-01-02")}


def test_sorted_rows_swapped_columns_and_notes_come_back(sheet: Path) -> None:
    def rearrange(table: Table) -> None:
        table[1:] = sorted(table[1:], key=lambda row: row[3])
        table[1][5] = "doubtful"
        for row in table:
            row.reverse()

    ratings = read(fill(sheet, rearrange))
    assert {(rating.sentence, rating.token) for rating in ratings} == TOKENS
    assert [rating.note for rating in ratings].count("doubtful") == 1


def test_rows_left_empty_are_left_for_later(sheet: Path) -> None:
    def forget(table: Table) -> None:
        table[2][4] = ""

    assert len(read(fill(sheet, forget))) == len(TOKENS) - 1


def set_cell(row: int, column: str, value: str) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        table[row - 1][COLUMNS.index(column)] = value

    return change


@pytest.mark.parametrize(
    ("change", "row", "reason"),
    [
        (set_cell(3, "sentence", "s9"), 3, "has no sentence 's9'"),
        (set_cell(4, "token", "thee"), 4, "'thee' was not asked for"),
        (set_cell(2, "score", "0.25"), 2, "not on the scale"),
        (set_cell(5, "score", "old"), 5, "not a number"),
        (lambda table: table.append(list(table[1])), 6, "is already rated in row 2"),
    ],
)
def test_a_bad_row_is_named_with_its_reason(
    sheet: Path, change: Callable[[Table], None], row: int, reason: str
) -> None:
    with pytest.raises(TacitError, match=rf"row {row}: .*{re.escape(reason)}.* Nothing was imported\."):
        read(fill(sheet, change))


def test_a_sheet_of_another_probe_is_refused(sheet: Path) -> None:
    with pytest.raises(TacitError, match="was not asked for"):
        read_sheet(fill(sheet), "formality", TEXTS, SCALE, rater="ann", date="")


def test_a_sheet_of_a_sentence_that_has_changed_is_refused(sheet: Path) -> None:
    changed = {**TEXTS, "s1": "Why will [MASK] go?", "s2": "Fare [MASK] well."}
    with pytest.raises(TacitError, match="sentence has changed"):
        read_sheet(fill(sheet), "temporal", changed, SCALE, rater="ann", date="")


def test_a_lost_column_is_named(sheet: Path) -> None:
    table = [row[:4] for row in table_of(sheet)]
    with pytest.raises(TacitError, match="column 'score' is missing"):
        read(save(sheet, table))


def test_a_sheet_in_another_encoding_is_refused(sheet: Path) -> None:
    sheet.write_bytes(sheet.read_text("utf-8-sig").encode("utf-16"))
    with pytest.raises(TacitError, match="not UTF-8"):
        read(sheet)


def test_a_sheet_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"no file .*gone\.csv"):
        read(tmp_path / "gone.csv")
