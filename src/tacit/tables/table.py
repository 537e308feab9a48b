"""One reader for every table that people hand over: CSV, JSON Lines or Parquet, told apart by the file's ending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tacit.tables.csv_file import read_csv
from tacit.tables.jsonl_file import read_jsonl
from tacit.tables.parquet_file import read_parquet
from tacit.tables.rows import LINE, PARQUET, Row

__all__ = ["TABLE_ENDINGS", "csv_line", "is_table_name", "read_table"]

_Reader = Callable[[Path, Sequence[str], Sequence[str]], list[Row]]
_READERS: dict[str, _Reader] = {".csv": read_csv, ".jsonl": read_jsonl, ".ndjson": read_jsonl, PARQUET: read_parquet}
TABLE_ENDINGS = tuple(_READERS)


def read_table(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a table as stripped strings, the same from each format.

    Numbers and booleans of JSON and Parquet become the texts that a CSV would have (3, 0.5, true), null an empty cell.

    Args:
        path: A file that ends in .jsonl or .ndjson (JSON Lines) or .parquet; anything else is read as CSV.
        columns: The columns that it must have.
        optional: Columns that it may have; where they are missing their cells are empty. Others are left out.

    Returns:
        One dictionary per row; `line` is its line in the file (in a Parquet file, the number of the row).
    """
    return _READERS.get(path.suffix.lower(), read_csv)(path, columns, optional)


def csv_line(path: Path, row: Row, number: int) -> int:
    """The line of a row in a CSV; of other formats, the line that it would have in one without blank or broken lines.

    Rows without a name of their own are named after it, so that a CSV gives the names that it always gave.

    Args:
        path: The file.
        row: The row.
        number: How many rows are before it.
    """
    return int(row[LINE]) if _READERS.get(path.suffix.lower(), read_csv) is read_csv else number + 2


def is_table_name(name: str) -> bool:
    """Whether a name is that of a table's file, by its ending, and not that of a data set."""
    return name.lower().endswith(TABLE_ENDINGS)
