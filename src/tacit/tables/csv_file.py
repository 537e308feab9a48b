"""CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tacit.errors import MaterialsError
from tacit.tables.files import read_text
from tacit.tables.rows import Row, check_heading, make_row, refuse

__all__ = ["read_csv"]


def read_csv(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a CSV file as stripped strings; `read_table` also takes other formats.

    Args:
        path: The file, UTF-8 with or without a mark.
        columns: The columns that it must have.
        optional: Columns that it may have; where they are missing their cells are empty. Others are left out.

    Returns:
        One dictionary per row; `line` is its line in the file.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        rows = list(_rows(path, reader, columns, optional))
    except csv.Error as error:
        raise refuse(path, reader.line_num, f"not readable as CSV ({error}).") from None
    if not rows:
        raise MaterialsError(f"{path} has no rows below its heading.")
    return rows


def _rows(path: Path, reader: Any, columns: Sequence[str], optional: Sequence[str]) -> Iterator[Row]:
    heading = check_heading(f"{path}, line 1", next(reader, []), columns)
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(heading):
            problem = f"{len(cells)} cells where the heading has {len(heading)}. Quote text that contains commas."
            raise refuse(path, reader.line_num, problem)
        row = make_row(path, reader.line_num, dict(zip(heading, cells, strict=True)), columns, optional)
        if row is not None:
            yield row
