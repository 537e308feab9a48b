"""Rows of the measures table: what its columns are, and how a row is made from an interval or a number."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.statistics import Interval

__all__ = ["FEW_UNITS", "MEASURE_SCHEMA", "MeasureRow", "mark_few", "measure_row", "measures_table", "plural"]

MEASURE_SCHEMA: dict[str, Any] = {
    "measure": pl.String,
    "group": pl.String,
    "item": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "neutral": pl.Float64,
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "note": pl.String,
    "unit": pl.String,
    "verdict": pl.String,
    "caution": pl.String,
}
"""The columns of the measures: `n` counts the `unit` that was resampled, `verdict` is what may be said of the row, and
`caution` says why its interval must be read with care."""

FEW_UNITS = 10
"""Below this number of units an interval is marked: simulation shows that it covers less often than it says."""

MeasureRow = dict[str, object]
"""One row of the measures: the columns of MEASURE_SCHEMA."""


def measure_row(
    measure: str, group: str, found: Interval | float | None, *, item: str | None = None, **more: object
) -> MeasureRow:
    """One row of the measures table from an interval, a bare number, or nothing where the measure is undefined.

    Where `unit` names what was resampled and there are few of it, the row is marked with a caution.
    """
    row: MeasureRow = {**dict.fromkeys(MEASURE_SCHEMA), "measure": measure, "group": group, "item": item}
    if isinstance(found, Interval):
        row |= {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
    else:
        row["value"] = found
    return mark_few(row | more)


def mark_few(row: MeasureRow) -> MeasureRow:
    """The row with a caution where its interval rests on few units."""
    n, unit = row["n"], row["unit"]
    if unit and isinstance(n, int) and n < FEW_UNITS and row["low"] is not None and not row["caution"]:
        row["caution"] = f"only {n} {unit if n == 1 else plural(str(unit))}"
    return row


def plural(noun: str) -> str:
    """ "country" as "countries", "branch" as "branches", "word and review" as "words and reviews"."""
    if " and " in noun:
        return " and ".join(plural(part) for part in noun.split(" and "))
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and not noun.endswith(("ay", "ey", "oy")) else f"{noun}s"


def measures_table(rows: list[MeasureRow]) -> pl.DataFrame:
    """The rows as the table that every probe shares."""
    return pl.DataFrame(rows, schema=MEASURE_SCHEMA)
