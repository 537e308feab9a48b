"""Tables for other programs, with cells neutralized that a spreadsheet would run as formulas."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from tacit.errors import RunError
from tacit.storage import write_output

__all__ = ["harmless", "write_frame"]


def write_frame(frame: pl.DataFrame, path: Path, *, force: bool = False) -> None:
    """Write a table in the format that the file name ends in: .csv, .parquet or .json."""
    buffer = io.BytesIO()
    match path.suffix.lower():
        case ".csv":
            frame.with_columns(harmless(pl.col(pl.String))).write_csv(buffer)
        case ".parquet":
            frame.write_parquet(buffer)
        case ".json":
            frame.write_json(buffer)
        case _:
            raise RunError(f"{path} names no format that a table can have. End it in .csv, .parquet or .json.")
    write_output(path, buffer.getvalue(), force=force)


def harmless(column: pl.Expr) -> pl.Expr:
    """Put an apostrophe before text that starts with = + - @, a tab or a line end: no spreadsheet will run it."""
    return pl.when(column.str.contains(r"^[=+\-@\t\r\n]")).then(pl.lit("'") + column).otherwise(column).name.keep()
