"""Tables for other programs, with cells that a spreadsheet would run made harmless."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from tacit.errors import TacitError
from tacit.storage import write_output

__all__ = ["harmless", "write_frame"]


def write_frame(frame: pl.DataFrame, path: Path, *, force: bool = False) -> None:
    """Write a table in the format that the file's name ends in: .csv, .parquet or .json."""
    buffer = io.BytesIO()
    match path.suffix.lower():
        case ".csv":
            frame.with_columns(harmless(pl.col(pl.String))).write_csv(buffer)
        case ".parquet":
            frame.write_parquet(buffer)
        case ".json":
            frame.write_json(buffer)
        case _:
            raise TacitError(f"{path}: a table is written as .csv, .parquet or .json.")
    write_output(path, buffer.getvalue(), force=force)


def harmless(column: pl.Expr) -> pl.Expr:
    """Text that begins with = + - @ (or a tab or line end) gets an apostrophe, so that no spreadsheet computes it."""
    return pl.when(column.str.contains(r"^[=+\-@\t\r\n]")).then(pl.lit("'") + column).otherwise(column).name.keep()
