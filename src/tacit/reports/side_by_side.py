"""Measures with one row per measure and one column per model, and the differences between models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tacit.methods import Method
from tacit.methods.base import plural
from tacit.reports.tables import MOST_CELLS, MOST_ROWS, Cell, Column, PageTable
from tacit.runs import Comparison
from tacit.runs.text import interval_text, number, p_text

__all__ = ["differences", "side_by_side"]

_NOTE = "Differences are paired item by item, first model minus second; p-values are corrected by Holm."
_KEYS = ("measure", "group", "item")


def side_by_side(
    anchor: str,
    title: str,
    rows: Mapping[str, pl.DataFrame],
    method: Method[Any, Any],
    colors: Mapping[str, str],
    *,
    files: Sequence[str] = (),
) -> PageTable:
    """Rows of the measures of several models, as one table with a column per model.

    Args:
        anchor: The id of the table on the page.
        title: Its heading.
        rows: The rows of each model.
        method: Says what each measure is in plain words.
        colors: The color of each model.
        files: The files that hold all rows.
    """
    order: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for model, frame in rows.items():
        for row in frame.iter_rows(named=True):
            order.setdefault(tuple(row[key] for key in _KEYS), {})[model] = row
    shown_keys = [key for key in ("group", "item") if any(frame[key].n_unique() > 1 for frame in rows.values())]
    columns = [Column("measure"), *(Column(key) for key in shown_keys)]
    columns += [Column(model, numeric=True, color=colors.get(model, "")) for model in rows]
    most = min(MOST_ROWS, MOST_CELLS // max(1, len(columns)))
    cells = [_row_cells(method, key, by_model, shown_keys, list(rows)) for key, by_model in list(order.items())[:most]]
    return PageTable(anchor, title, columns, cells, len(order), list(files))


def differences(anchor: str, comparison: Comparison, method: Method[Any, Any], files: Sequence[str] = ()) -> PageTable:
    """The comparison of models as a table."""
    names = ["measure", "group", "models", "difference", "p", "pairs", "rank correlation", "caution"]
    numeric = {"difference", "p", "pairs", "rank correlation"}
    rows = [_difference_cells(method, row) for row in comparison.table.iter_rows(named=True)]
    columns = [Column(name, name in numeric) for name in names]
    return PageTable(anchor, "Differences between models", columns, rows, len(rows), list(files), _NOTE)


def _row_cells(
    method: Method[Any, Any],
    key: tuple[Any, ...],
    by_model: Mapping[str, dict[str, Any]],
    shown_keys: list[str],
    models: list[str],
) -> list[Cell]:
    """The cells of one row; what is true of all models stands once, beside the group."""
    about = {model: _about(method, row) for model, row in by_model.items()}
    shared = next(iter(about.values())) if len({*about.values()}) == 1 else ""
    labels: list[Cell] = [_measure_cell(method, key[0]), *(str(key[_KEYS.index(name)] or "") for name in shown_keys)]
    if shared:
        labels[-1] = _with_small(labels[-1], shared)
    own = {model: "" if shared else text for model, text in about.items()}
    return [*labels, *(_value_cell(method, by_model.get(model), own.get(model, "")) for model in models)]


def _with_small(cell: Cell, more: str) -> Cell:
    return (cell, more) if isinstance(cell, str) else (cell[0], f"{cell[1]}; {more}")


def _measure_cell(method: Method[Any, Any], measure: str) -> Cell:
    words = method.term(measure).words
    return words if words == measure else (words, measure)


def _about(method: Method[Any, Any], row: dict[str, Any]) -> str:
    """How many units were resampled, and the neutral point."""
    unit, n, neutral = row.get("unit"), row["n"], row["neutral"]
    count = "" if n is None else f"{n:,} {unit if n == 1 else plural(unit)}" if unit else f"n = {n:,}"
    percent = method.term(row["measure"]).percent
    point = "" if neutral is None or row["low"] is None else f"{neutral:.0%}" if percent else number(neutral)
    return "; ".join(part for part in (count, f"neutral {point}" if point else "") if part)


def _value_cell(method: Method[Any, Any], row: dict[str, Any] | None, about: str) -> Cell:
    if row is None or row["value"] is None:
        return "–"
    text = interval_text(row["value"], row["low"], row["high"], percent=method.term(row["measure"]).percent)
    p = p_text(row["p"] if row["p_adjusted"] is None else row["p_adjusted"])
    facts = [about, p, row.get("verdict") or "", row.get("caution") or ""]
    small = "; ".join(fact for fact in facts if fact)
    return (text, small) if small else text


def _difference_cells(method: Method[Any, Any], row: dict[str, Any]) -> list[Cell]:
    percent = method.term(row["measure"]).percent
    paired = f"{row['items']:,}" if row["items"] is not None else "–"
    resampled = f"{row['n']:,} × {row['unit']}" if row["n"] and row["unit"] not in (None, "item") else ""
    ranks = interval_text(row["rank_correlation"], row["rank_low"], row["rank_high"])
    return [
        _measure_cell(method, row["measure"]),
        row["group"] or "",
        f"{row['first']} − {row['second']}",
        interval_text(row["difference"], row["low"], row["high"], percent=percent),
        p_text(row["p_adjusted"]).removeprefix("p = ").removeprefix("p ") or "–",
        (paired, resampled) if resampled else paired,
        ranks,
        row["caution"] or "",
    ]
