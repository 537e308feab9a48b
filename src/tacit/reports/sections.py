"""What the page says about each probe: its runs side by side, as plain data for the template."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from tacit.figure import Figure, models_of_report
from tacit.methods import Method, Tables, get_method
from tacit.reports.tables import PageTable, page_table, stacked
from tacit.runs import Run
from tacit.runs.compare import Comparison, compare, why_not_comparable
from tacit.runs.record import RunRecord
from tacit.runs.summary import aggregates
from tacit.runs.text import command

__all__ = ["Section", "sections"]

_COMPARISON_COLUMNS = ["measure", "group", "first", "second", "difference", "low", "high", "p_adjusted"]
_COMPARISON_COLUMNS += ["items", "unit", "n", "caution", "rank_correlation", "first_mean", "second_mean"]


@dataclass(frozen=True)
class Section:
    """One probe with one set of materials and settings, on one model or several.

    Attributes:
        anchor: Its id on the page.
        record: The record of its first run; probe and settings are the same in all of them.
        runs: The runs, by the model's name on the page.
        headline: One sentence that answers the title of the probe for the models that can be asked.
        figures: The figures of the method, about the same models.
        comparison: How these models differ; None for fewer than two.
        measures: The rows of the measures that carry the results.
        differences: The comparison as a table.
        details: All aggregates, the measures of each item, then the further tables of the method.
    """

    anchor: str
    record: RunRecord
    runs: dict[str, Run]
    headline: str
    figures: list[Figure]
    comparison: Comparison | None
    measures: PageTable
    differences: PageTable | None
    details: list[PageTable]

    @property
    def title(self) -> str:
        """The title of the probe, with the mode if it is not the default one."""
        mode = "" if self.record.mode == "corrected" else f" ({self.record.mode})"
        return f"{self.record.probe.title}{mode}"

    @property
    def commands(self) -> list[str]:
        """The commands that reproduce these runs."""
        return [command(run.record) for run in self.runs.values()]

    @property
    def unasked(self) -> list[str]:
        """Of the models that cannot be asked this, a sentence each that says why."""
        return [run.headline for run in self.runs.values() if not run.validity.can_be_interpreted]


def sections(runs: Sequence[Run]) -> list[Section]:
    """Group runs by probe, materials and settings, in the order given."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        record = run.record
        settings = [record.plain_settings(), record.setting_hashes()]
        inputs = [record.probe.name, record.probe.version, record.materials, *settings]
        groups.setdefault(json.dumps(inputs, sort_keys=True), []).append(run)
    with models_of_report(list(dict.fromkeys(run.model for run in runs))):
        numbered = enumerate(groups.values(), start=1)
        return [_section(f"s{number}", group, list(groups.values())) for number, group in numbered]


def _section(anchor: str, group: list[Run], groups: Sequence[list[Run]]) -> Section:
    method = get_method(group[0].record.probe.method)
    asked = _interpretable(group)
    tables = _tables(asked)
    comparison = compare(asked) if len(asked) > 1 and why_not_comparable(asked[0], asked[1]) is None else None
    key_rows = stacked({model: method.key_rows(own) for model, own in tables.items()})
    return Section(
        anchor=anchor,
        record=group[0].record,
        runs=_by_model(group),
        headline=method.headline(tables) if tables else "",
        figures=_figures(method, tables, groups) if tables else [],
        comparison=comparison,
        measures=page_table(f"{anchor}-measures", "Key measures", key_rows, _files(asked, "measures")),
        differences=_differences(anchor, comparison) if comparison else None,
        details=_details(anchor, group),
    )


def _interpretable(group: list[Run]) -> list[Run]:
    return [run for run in group if run.validity.can_be_interpreted]


def _by_model(group: list[Run]) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    for run in group:
        runs[run.model if run.model not in runs else f"{run.model} ({run.folder})"] = run
    return runs


def _tables(group: list[Run]) -> dict[str, Tables]:
    return {model: run.tables for model, run in _by_model(group).items()}


def _files(group: list[Run], table: str) -> list[str]:
    return [f"{run.folder}/{table}.parquet" for run in group]


def _figures(method: Method[Any, Any], tables: dict[str, Tables], groups: Sequence[list[Run]]) -> list[Figure]:
    """The method's own figures, then those beside each group of runs of the method that it is compared with."""
    same = [_interpretable(group) for group in groups if group[0].record.probe.method == method.compared_with]
    others = [group for group in same if group]
    beside = [method.figures_beside(_tables(group), tables) for group in others]
    if len(others) > 1:
        labels = _labels([group[0] for group in others])
        beside = [
            [_beside(figure, number, label) for figure in figures]
            for number, (figures, label) in enumerate(zip(beside, labels, strict=True), start=1)
        ]
    return [*method.figures(tables), *(figure for figures in beside for figure in figures)]


def _beside(figure: Figure, number: int, label: str) -> Figure:
    """A figure whose name and title say which of several groups of runs it is beside."""
    return replace(
        figure,
        name=f"{figure.name}-{number}",
        title=f"{figure.title} (beside {label})",
        alt=f"Beside {label}. {figure.alt}",
    )


def _labels(runs: Sequence[Run]) -> list[str]:
    """The probe of each run with the settings that differ between them, and the folder where that is not enough."""
    settings = [run.record.settings for run in runs]
    names = dict.fromkeys(name for values in settings for name in values)
    differing = [name for name in names if any(values.get(name) != settings[0].get(name) for values in settings)]
    labels = []
    for run in runs:
        values = [f"{name}={run.record.settings[name]}" for name in differing if name in run.record.settings]
        labels.append(run.probe + (f" with {', '.join(values)}" if values else ""))
    return [
        label if labels.count(label) == 1 else f"{label} in {run.folder}"
        for label, run in zip(labels, runs, strict=True)
    ]


def _differences(anchor: str, comparison: Comparison) -> PageTable:
    table = comparison.table.select(_COMPARISON_COLUMNS)
    return page_table(f"{anchor}-differences", "Differences between models", table)


def _details(anchor: str, group: list[Run]) -> list[PageTable]:
    """All aggregates, the measures of each item, then each further table of the method, where they are not empty."""
    tables = _tables(group)
    all_rows = {model: aggregates(own["measures"]) for model, own in tables.items()}
    items = {model: own["measures"].filter(pl.col("item").is_not_null()) for model, own in tables.items()}
    details = [page_table(f"{anchor}-all", "All measures", stacked(all_rows), _files(group, "measures"))]
    details += [page_table(f"{anchor}-items", "Measures of each item", stacked(items), _files(group, "measures"))]
    for name in next(iter(tables.values())):
        if name != "measures":
            frames = {model: own[name] for model, own in tables.items() if name in own}
            title = name.replace("_", " ").replace("-", " ").capitalize()
            details.append(page_table(f"{anchor}-table-{name}", title, stacked(frames), _files(group, name)))
    return [table for table in details if table.rows]
