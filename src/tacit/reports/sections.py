"""What the page says of each probe: its runs side by side, as plain data for the template."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tacit.figure import Figure, models_of_report
from tacit.methods import Tables, get_method
from tacit.reports.tables import PageTable, page_table, stacked
from tacit.runs import Run
from tacit.runs.compare import Comparison, compare, why_not_comparable
from tacit.runs.record import RunRecord
from tacit.runs.summary import aggregates
from tacit.runs.text import command

__all__ = ["Section", "sections"]


_COMPARED = ["measure", "group", "first", "second", "difference", "low", "high", "n", "p_adjusted"]
_COMPARED += ["rank_correlation", "first_mean", "second_mean"]


@dataclass(frozen=True)
class Section:
    """One probe with one set of settings, on one model or several."""

    anchor: str
    record: RunRecord
    runs: dict[str, Run]
    figures: list[Figure]
    comparison: Comparison | None
    measures: PageTable
    compared: PageTable | None
    behind: list[PageTable]

    @property
    def title(self) -> str:
        """The probe's title, with the mode where it is not the usual one."""
        mode = "" if self.record.mode == "corrected" else f" ({self.record.mode})"
        return f"{self.record.probe.title}{mode}"

    @property
    def commands(self) -> list[str]:
        """The commands that repeat these runs."""
        return [command(run.record) for run in self.runs.values()]

    def leaning(self, model: str) -> str:
        """How many of the model's aggregates are sure to lean, as a phrase."""
        rows = aggregates(self.runs[model].measures).drop_nulls(["low", "high", "neutral"])
        if rows.is_empty():
            return "–"
        sure = rows.filter((pl.col("low") > pl.col("neutral")) | (pl.col("high") < pl.col("neutral"))).height
        return f"{sure} of {rows.height}"


def sections(runs: Sequence[Run]) -> list[Section]:
    """The runs by probe, materials and settings, in the order given."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        record = run.record
        told = [record.probe.name, record.probe.version, record.materials, record.settings]
        groups.setdefault(json.dumps(told, sort_keys=True), []).append(run)
    with models_of_report(list(dict.fromkeys(run.model for run in runs))):
        numbered = enumerate(groups.values(), start=1)
        return [_section(f"s{number}", group, list(groups.values())) for number, group in numbered]


def _section(anchor: str, group: list[Run], groups: Sequence[list[Run]]) -> Section:
    runs = _by_model(group)
    tables = {model: run.tables for model, run in runs.items()}
    comparison = None
    if len(group) > 1 and why_not_comparable(group[0], group[1]) is None:
        comparison = compare(group)
    record = group[0].record
    files = {model: str(run.folder) for model, run in runs.items()}
    measures = stacked({model: aggregates(run.measures) for model, run in runs.items()})
    return Section(
        anchor=anchor,
        record=record,
        runs=runs,
        figures=_figures(record.probe.method, tables, groups),
        comparison=comparison,
        measures=page_table(f"{anchor}-measures", "Measures", measures, files, "measures"),
        compared=page_table(
            f"{anchor}-compared", "Differences between models", comparison.table.select(_COMPARED), {}, ""
        )
        if comparison
        else None,
        behind=_behind(anchor, tables, files),
    )


def _by_model(group: list[Run]) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    for run in group:
        runs[run.model if run.model not in runs else f"{run.model} ({run.folder})"] = run
    return runs


def _figures(method: str, tables: dict[str, Tables], groups: Sequence[list[Run]]) -> list[Figure]:
    """The method's own figures, and those that set it beside each probe of another method on the same models."""
    drawn = get_method(method)
    figures = drawn.figures(tables)
    for group in groups:
        if group[0].record.probe.method == drawn.compared_with:
            others = {model: run.tables for model, run in _by_model(group).items()}
            figures += drawn.figures_beside(others, tables)
    return figures


def _behind(anchor: str, tables: dict[str, Tables], files: dict[str, str]) -> list[PageTable]:
    """The items behind the figures: the item rows of the measures, then each further table of the method."""
    items = {model: each["measures"].filter(pl.col("item").is_not_null()) for model, each in tables.items()}
    names = [name for name in next(iter(tables.values())) if name != "measures"]
    made = [page_table(f"{anchor}-each", "Measures of each item", stacked(items), files, "measures")]
    for name in names:
        frames: dict[str, Any] = {model: each[name] for model, each in tables.items() if name in each}
        title = name.replace("_", " ").replace("-", " ").capitalize()
        made.append(page_table(f"{anchor}-table-{name}", title, stacked(frames), files, name))
    return [table for table in made if table.rows]
