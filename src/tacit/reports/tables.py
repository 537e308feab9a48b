"""Tables of the page: texts to show, one column per model where models are compared, and no more rows than fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from tacit.runs.text import number

__all__ = ["Cell", "Column", "PageTable", "fair_share", "page_table", "stacked"]

MOST_ROWS = 3000
MOST_CELLS = 24_000
"""Per table. Tables are compressed and rendered when opened, so that this many cost little."""

Cell = str | tuple[str, str]
"""A text, or a text with a second one in small below it."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: Its heading.
        numeric: Whether it is aligned and sorted as numbers.
        color: The color of the model that it is about; empty if it is about none.
        wide: Whether it holds sentences.
    """

    name: str
    numeric: bool = False
    color: str = ""
    wide: bool = False


@dataclass(frozen=True)
class PageTable:
    """A table that sorts and searches.

    Attributes:
        anchor: Its id on the page.
        title: Its heading.
        columns: Its columns.
        rows: The cells that the page shows.
        total: How many rows the whole table has.
        files: The files that hold the whole table.
        note: How to read it.
    """

    anchor: str
    title: str
    columns: list[Column]
    rows: list[list[Cell]]
    total: int
    files: list[str] = field(default_factory=list)
    note: str = ""

    @property
    def left_out(self) -> int:
        """How many rows only the files hold."""
        return self.total - len(self.rows)

    @property
    def spans(self) -> list[int]:
        """Over how many rows the first cell of each row extends; 0 where the cell above covers it."""
        spans = [0] * len(self.rows)
        start = 0
        for place, row in enumerate(self.rows):
            if row[0] != self.rows[start][0]:
                start = place
            spans[start] += 1
        return spans

    @property
    def data(self) -> dict[str, Any]:
        """What the page's script needs to render the table."""
        return {"columns": list(map(asdict, self.columns)), "rows": self.rows}


def stacked(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The tables of several models as one, with the model's name in the first column."""
    if not frames:
        return pl.DataFrame()
    named = [frame.select(pl.lit(model).alias("model"), pl.exclude("model")) for model, frame in frames.items()]
    return pl.concat(named, how="diagonal_relaxed")


def page_table(anchor: str, title: str, frame: pl.DataFrame, files: Sequence[str] = ()) -> PageTable:
    """A table for the page; columns without any value are left out, and very long tables are cut."""
    columns = [name for name in frame.columns if frame[name].null_count() < frame.height and _is_plain(frame[name])]
    shown = fair_share(frame, len(columns))
    return PageTable(
        anchor=anchor,
        title=title,
        columns=[Column(name.replace("_", " "), frame[name].dtype.is_numeric()) for name in columns],
        rows=[[_text(value) for value in row] for row in shown.select(columns).iter_rows()] if columns else [],
        total=frame.height,
        files=list(files),
    )


def fair_share(frame: pl.DataFrame, columns: int) -> pl.DataFrame:
    """As many of the first rows as a page can hold, the same number for each model."""
    most = min(MOST_ROWS, MOST_CELLS // max(1, columns))
    if frame.height <= most or "model" not in frame.columns:
        return frame.head(most)
    share = max(1, most // frame["model"].n_unique())
    return frame.group_by("model", maintain_order=True).head(share)


def _is_plain(column: pl.Series) -> bool:
    """Whether the cells of a column fit on a page; vectors do not."""
    return not column.dtype.is_nested() or column.dtype == pl.List(pl.String)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
