"""What a reader sees of a run at a glance: its headline value, a short phrase, and measures in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

__all__ = ["CANNOT_TELL", "Glance", "Term", "default_glance", "find_row", "is_decided", "lean_phrase"]

CANNOT_TELL = "Cannot tell"
_UNDECIDED = {None, "", "undecided", "too small to matter"}


@dataclass(frozen=True, slots=True)
class Term:
    """A measure in plain words.

    Attributes:
        words: What it is, for somebody who has not read the paper; its name is shown beside it in small.
        percent: Whether its values are shares.
    """

    words: str
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Glance:
    """The headline value of a run and a short answer to the title of its probe.

    Attributes:
        phrase: The answer in a few words, such as "Leans to Early Modern English", or CANNOT_TELL.
        row: The row of the measures that carries it.
        label: What its value is, in plain words.
        poles: What lies below and above the neutral point, in a word or two each.
        ends: The ends of the measure's scale; None if it has none.
        percent: Whether the value is a share.
        detail: One more sentence in plain words, such as a count; empty if there is none.
    """

    phrase: str
    row: dict[str, Any]
    label: str
    poles: tuple[str, str] = ("", "")
    ends: tuple[float, float] | None = None
    percent: bool = False
    detail: str = ""


def is_decided(row: dict[str, Any]) -> bool:
    """Whether the row carries a verdict other than that nothing can be told."""
    return row.get("verdict") not in _UNDECIDED


def lean_phrase(row: dict[str, Any], lower: str, higher: str) -> str:
    """One of two phrases, by the side of the neutral point; only where the row carries a verdict.

    Args:
        row: A row of the measures.
        lower: What is said of a value below the neutral point.
        higher: What is said of a value above it.
    """
    if not is_decided(row) or row["value"] is None:
        return CANNOT_TELL
    return lower if row["value"] < (row["neutral"] or 0) else higher


def find_row(measures: pl.DataFrame, measure: str, group: str | None = None) -> dict[str, Any] | None:
    """The first row about more than one item of this measure (and group); None if there is none with a value."""
    chosen = (pl.col("measure") == measure) & pl.col("item").is_null() & pl.col("value").is_not_null()
    if group is not None:
        chosen &= pl.col("group") == group
    rows = measures.filter(chosen)
    return rows.row(0, named=True) if rows.height else None


def default_glance(key_rows: pl.DataFrame, words: str = "") -> Glance | None:
    """The first key row with an interval and, if it has one, its verdict."""
    rows = key_rows.filter(pl.col("value").is_not_null() & pl.col("low").is_not_null())
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    verdict = str(row["verdict"]) if is_decided(row) else CANNOT_TELL
    return Glance(f"{verdict[:1].upper()}{verdict[1:]}", row, words or str(row["measure"]))
