"""The rows of a table, whatever its format: cells as stripped texts, and the place of each row for errors."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tacit.errors import MaterialsError

__all__ = [
    "LINE",
    "PARQUET",
    "Row",
    "check_heading",
    "finite_number",
    "make_row",
    "place",
    "refuse",
    "require_unique",
]

LINE = "line"
PARQUET = ".parquet"
Row = dict[str, str]


def place(path: Path, row: Row | int) -> str:
    """Where a row stands in its file: "line 7", or "row 7" of a Parquet file, which has no lines."""
    number = row if isinstance(row, int) else int(row[LINE])
    return f"{'row' if path.suffix.lower() == PARQUET else 'line'} {number}"


def refuse(path: Path, row: Row | int, problem: str) -> MaterialsError:
    """The error for one row of a file: `raise refuse(path, row, "rho must be a number, not 'x'")`."""
    return MaterialsError(f"{path}, {place(path, row)}: {problem}")


def require_unique(path: Path, rows: Iterable[Row], *columns: str) -> None:
    """Refuse a file in which two rows have the same values in these columns."""
    seen: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        if key in seen:
            shown = ", ".join(repr(value) for value in key)
            problem = f"{' and '.join(columns)} {shown} also stand on {place(path, seen[key])}. Keep one."
            raise refuse(path, row, problem)
        seen[key] = row


def finite_number(path: Path, row: Row, column: str) -> float:
    """The number in a cell; text, NaN and infinity are refused."""
    try:
        value = float(row[column])
    except ValueError:
        raise refuse(path, row, f"{column} must be a number, not {row[column]!r}.") from None
    if not math.isfinite(value):
        raise refuse(path, row, f"{column} must be a finite number, not {row[column]!r}.")
    return value


def make_row(
    path: Path, number: int, cells: Mapping[str, str], columns: Sequence[str], optional: Sequence[str]
) -> Row | None:
    """One row as all formats give it; None for one whose cells are all empty, which is skipped.

    Args:
        path: The file.
        number: The row's line in the file.
        cells: Every cell of the row, by its column.
        columns: The columns to keep.
        optional: More columns to keep; those that are missing are empty.
    """
    if not any(cell.strip() for cell in cells.values()):
        return None
    known = {*columns, *optional}
    row = {name: cell.strip() for name, cell in cells.items() if name in known}
    if any("\0" in cell for cell in row.values()):
        raise refuse(path, number, "a cell contains a NUL character. Remove it.")
    return {**dict.fromkeys(optional, ""), **row, LINE: str(number)}


def check_heading(where: str, names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The names of a table's columns without outer spaces, if each is readable, occurs once, and none is missing."""
    heading = [name.strip() for name in names]
    for name in heading:
        if any(unicodedata.category(character) == "Cc" for character in name):
            raise MaterialsError(f"{where}: the heading {name!r} contains a control character. Remove it.")
    doubled = next((name for name in heading if name and heading.count(name) > 1), None)
    if doubled is not None:
        raise MaterialsError(f"{where}: the column {doubled!r} occurs twice. Keep one.")
    missing = next((name for name in columns if name not in heading), None)
    if missing is not None:
        raise MaterialsError(f"{where}: the column {missing!r} is missing. It has {', '.join(heading) or 'none'}.")
    return heading
