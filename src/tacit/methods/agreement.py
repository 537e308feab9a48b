"""Agreement: what several models, or two methods, find alike, beside what chance would give."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

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
