"""CSV files that people fill in with a spreadsheet: safe to open, and readable in whatever form they come back."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.storage import write_file
from tacit.tables import LINE, is_table_name, read_table

__all__ = ["neutralize", "read_rows", "restore", "row_code", "sheet_bytes", "write_rows"]

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a sheet that a spreadsheet opens as UTF-8 text and runs no formula of."""
    write_file(path, sheet_bytes(columns, rows))


def sheet_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The bytes of such a sheet."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([neutralize(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Read a sheet that a person filled in; separators may be commas, semicolons or tabs, empty rows are skipped.

    JSON Lines and Parquet files are taken too, as other programs write them.

    Args:
        path: The filled sheet.
        columns: The columns that it must have; a column `note` may be missing and is then empty.

    Yields:
        The number of each row as a spreadsheet shows it, and its cells by column.
    """
    if is_table_name(path.name) and path.suffix.lower() != ".csv":
        for row in read_table(path, columns, ["note"]):
            yield int(row[LINE]), {name: restore(cell) for name, cell in row.items()}
        return
    table = _read_cells(path)
    heading = [cell.strip().lower() for cell in table[0]] if table else []
    missing = [name for name in columns if name not in heading]
    if missing:
        raise MaterialsError(f"{path}, row 1: the column {missing[0]!r} is missing. Nothing was imported.")
    for number, cells in enumerate(table[1:], start=2):
        if any(cell.strip() for cell in cells):
            padded = [*cells, *[""] * (len(heading) - len(cells))]
            yield number, {"note": "", **{name: restore(cell) for name, cell in zip(heading, padded, strict=False)}}


def neutralize(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def restore(cell: str) -> str:
    """Undo `neutralize`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def row_code(*parts: str, length: int) -> str:
    """A code that ties a row to what it asks about without revealing it.

    It has only letters, so that no spreadsheet turns it into a number or a date.
    """
    digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:length]
    return digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


def _read_cells(path: Path) -> list[list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise MaterialsError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise MaterialsError(f"{path} is a folder. Name the filled sheet in it.") from None
    except UnicodeDecodeError as error:
        raise MaterialsError(f"{path} is not UTF-8 (byte {error.start}). Save the sheet as CSV UTF-8.") from None
    heading = text.splitlines()[0] if text else ""
    delimiter = max(",;\t", key=heading.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise MaterialsError(f"{path} is not readable as CSV ({error}). Nothing was imported.") from None
