"""Parquet files, read in a process of their own: a damaged one makes the reader abort, or ask for all memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tacit.errors import MaterialsError
from tacit.tables.files import LARGEST_TABLE, require_regular
from tacit.tables.jsonl_file import parse_json, row_of_object
from tacit.tables.rows import Row, check_heading, refuse

__all__ = ["read_parquet"]

MOST_ROWS = 5_000_000
_MAGIC = b"PAR1"
_DUMP = Path(__file__).with_name("parquet_dump.py")


def read_parquet(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a Parquet file, as `read_csv` would give them; `line` is the number of the row."""
    require_regular(path)
    _require_marks(path)
    with _dumped(path, [*columns, *optional]) as lines:
        heading = json.loads(next(lines, "{}"))
        if "columns" not in heading:
            raise _damaged(path)
        check_heading(str(path), heading["columns"], columns)
        _require_cells(path, heading)
        rows = [
            row for number, line in enumerate(lines, start=1) if (row := _row(path, number, line, columns, optional))
        ]
    if not rows:
        raise MaterialsError(f"{path} has no rows.")
    return rows


def _row(path: Path, number: int, line: str, columns: Sequence[str], optional: Sequence[str]) -> Row | None:
    try:
        fields = parse_json(line)
    except json.JSONDecodeError:
        raise _damaged(path) from None  # the other process ended in the middle of a line
    except ValueError as error:
        raise refuse(path, number, str(error)) from None
    return row_of_object(path, number, fields, columns, optional)


def _require_marks(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
        end = b""
        if start == _MAGIC and path.stat().st_size >= 3 * len(_MAGIC):
            file.seek(-len(_MAGIC), 2)
            end = file.read()
    if start != _MAGIC:
        raise MaterialsError(f"{path} is not a Parquet file. Name a file as its content is: .csv, .jsonl or .parquet.")
    if end != _MAGIC:
        raise MaterialsError(f"{path} is a Parquet file without its end. Copy or write it again.")


def _require_cells(path: Path, heading: dict[str, Any]) -> None:
    """Refuse columns whose values fit into no cell, and more rows than anybody means to ask about."""
    for name, kind in heading["unfit"].items():
        problem = f"the column {name!r} holds {kind}. Make it text or numbers."
        raise MaterialsError(f"{path}: {problem}")
    if heading["rows"] > MOST_ROWS:
        raise MaterialsError(f"{path} is too large ({heading['rows']:,} rows; at most {MOST_ROWS:,}). Split it.")


def _damaged(path: Path) -> MaterialsError:
    return MaterialsError(f"{path} is a damaged Parquet file, or takes too much memory to read. Write it again.")


@contextmanager
def _dumped(path: Path, columns: Sequence[str]) -> Iterator[Iterator[str]]:
    """The lines that the other process writes: the heading, then one object per row."""
    # -P, so that no module in the current folder takes the place of a library.
    command = [sys.executable, "-P", str(_DUMP), str(path), str(MOST_ROWS), *columns]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dump:
        assert dump.stdout is not None
        try:
            yield _bounded_lines(path, dump.stdout)
            if dump.wait() != 0:
                raise _damaged(path)
        finally:
            dump.kill()


def _bounded_lines(path: Path, stream: Iterator[bytes]) -> Iterator[str]:
    size = 0
    for line in stream:
        size += len(line)
        if size > LARGEST_TABLE:
            raise MaterialsError(
                f"{path} is too large (more than {LARGEST_TABLE / 1e6:,.0f} MB of text). Split or shorten it."
            )
        yield line.decode()
