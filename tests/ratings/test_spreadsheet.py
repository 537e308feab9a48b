"""A spreadsheet runs nothing of a sheet, and every cell comes back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import MaterialsError
from tacit.ratings.spreadsheet import neutralize, read_rows, restore, row_code, write_rows


@given(st.text())
def test_neutralizing_can_be_undone(cell: str) -> None:
    assert restore(neutralize(cell)) == cell
    assert neutralize(cell)[:1] not in set("=+-@\t\r")


@pytest.mark.parametrize("cell", ["'=", "''=", "'tis", "=1+1", "-", "@x", "\tx"])
def test_apostrophes_that_were_there_before_are_kept(cell: str) -> None:
    assert restore(neutralize(cell)) == cell


def test_written_rows_are_read_back_with_their_row_numbers(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_rows(path, ("word", "note"), [("=1+1", "a, b"), ('"', "")])
    assert list(read_rows(path, ("word",))) == [(2, {"word": "=1+1", "note": "a, b"}), (3, {"word": '"', "note": ""})]


def test_a_folder_is_not_a_sheet(tmp_path: Path) -> None:
    with pytest.raises(MaterialsError, match="is a folder"):
        list(read_rows(tmp_path, ("word",)))


def test_a_code_has_only_letters_and_depends_on_every_part() -> None:
    code = row_code("temporal", "s1", "thou", length=12)
    assert len(code) == 12
    assert code.isalpha()
    assert code != row_code("temporal", "s1", "thee", length=12)
