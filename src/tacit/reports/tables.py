"""Tables of the page: cells with a text to show and a key to sort by, and no more rows than a page can hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tacit.runs.text import number

__all__ = ["Cell", "PageTable", "page_table", "stacked"]

MOST_ROWS = 300
MOST_CELLS = 2000
_SHORT_TEXT = 160


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: What is shown.
        key: What numbers are sorted by; empty for text and for missing values.
        begins: The beginning of a long text, shown until the reader opens it.
    """

    text: str
    key: str
    begins: str = ""


@dataclass(frozen=True)
class PageTable:
    """A table that sorts and searches.

    Attributes:
        anchor: Its id on the page.
        title: Its heading.
        columns: The names of the columns.
        numeric: Whether each column holds numbers.
        rows: The cells that the page shows.
        total: How many rows the whole table has.
        files: The files that hold the whole table.
    """

    anchor: str
    title: str
    columns: list[str]
    numeric: list[bool]
    rows: list[list[Cell]]
    total: int
    files: list[str]

    @property
    def left_out(self) -> int:
        """How many rows only the files hold."""
        return self.total - len(self.rows)


def stacked(frames: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The tables of several models as one, with the model's name in the first column."""
    if not frames:
        return pl.DataFrame()
    named = [frame.select(pl.lit(model).alias("model"), pl.exclude("model")) for model, frame in frames.items()]
    return pl.concat(named, how="diagonal_relaxed")


def page_table(anchor: str, title: str, frame: pl.DataFrame, files: Sequence[str] = ()) -> PageTable:
    """A table for the page; columns without any value are left out, and long tables are cut."""
    columns = [name for name in frame.columns if frame[name].null_count() < frame.height and _is_plain(frame[name])]
    shown = _fair_share(frame, min(MOST_ROWS, MOST_CELLS // max(1, len(columns))))
    return PageTable(
        anchor=anchor,
        title=title,
        columns=[name.replace("_", " ") for name in columns],
        numeric=[frame[name].dtype.is_numeric() for name in columns],
        rows=[[_cell(value) for value in row] for row in shown.select(columns).iter_rows()] if columns else [],
        total=frame.height,
        files=list(files),
    )


def _is_plain(column: pl.Series) -> bool:
    """Whether the cells of a column fit on a page; vectors do not."""
    return not column.dtype.is_nested() or column.dtype == pl.List(pl.String)


def _fair_share(frame: pl.DataFrame, most: int) -> pl.DataFrame:
    """The first rows, the same number for each model."""
    if frame.height <= most or "model" not in frame.columns:
        return frame.head(most)
    share = max(1, most // frame["model"].n_unique())
    return frame.group_by("model", maintain_order=True).head(share)


def _cell(value: Any) -> Cell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return Cell("–", "")
    if isinstance(value, bool):
        return Cell("yes" if value else "no", str(int(value)))
    if isinstance(value, float):
        return Cell(number(value), f"{value:.6g}")
    if isinstance(value, int):
        return Cell(f"{value:,}", str(value))
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    begins = f"{text[:_SHORT_TEXT]}…" if len(text) > _SHORT_TEXT * 2 else ""
    return Cell(text, "", begins)
