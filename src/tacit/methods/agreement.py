"""Agreement: what several models, or two methods, find alike, beside what chance would give."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tacit.notebook import html_table

__all__ = ["Agreement"]


@dataclass(frozen=True)
class Agreement:
    """How far several models, or two methods, agree about the same items.

    Attributes:
        name: Its name in files and links: "models" or "tests".
        title: Its heading.
        table: The counts, beside what chance would give.
        sentences: The same in words.
        note: How to read the table.
    """

    name: str
    title: str
    table: pl.DataFrame
    sentences: tuple[str, ...]
    note: str = ""

    def __repr__(self) -> str:
        return f"<Agreement: {self.title}, {self.table.height} rows>"

    def _repr_html_(self) -> str:
        return html_table(self.title, [self.note], self.table.columns, self.table.rows())
