"""The same probe on several models: paired differences over the sampled units, tests, and rank correlations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import RunError
from tacit.methods.base import PairedMeasure, Tables
from tacit.notebook import html_table
from tacit.runs.pairing import is_number, pair_items, paired_statistics
from tacit.runs.record import RATINGS, RunRecord
from tacit.runs.store import Run, must_fit, open_runs
from tacit.runs.text import interval_text, p_text
from tacit.statistics import Resampling, holm

__all__ = ["COMPARISON_SCHEMA", "Comparison", "compare", "compare_tables", "different_inputs", "why_not_comparable"]

OVERALL = "all items"
COMPARISON_SCHEMA: dict[str, Any] = {
    "measure": pl.String,
    "group": pl.String,
    "first": pl.String,
    "second": pl.String,
    "first_mean": pl.Float64,
    "second_mean": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "items": pl.Int64,
    "unit": pl.String,
    "n": pl.Int64,
    "left_out": pl.Int64,
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "rank_correlation": pl.Float64,
    "rank_low": pl.Float64,
    "rank_high": pl.Float64,
    "caution": pl.String,
}
"""`items` were paired; `n` counts the `unit` that was resampled, of two crossed ones the rarer."""

_INTERNAL: dict[str, Any] = {"headline": pl.Boolean, "in_noise": pl.Boolean}

SIGNIFICANT = 0.05
_COMPARABLE = "Name runs of one probe on different models, with the same materials and settings."
_MOST_GROUPS = 12


@dataclass(frozen=True)
class Comparison:
    """How models differ on one probe.

    Attributes:
        probe: Its name.
        models: Their labels.
        table: One row per measure, group of items, and pair of models; the columns are those of COMPARISON_SCHEMA.
        sentences: One plain sentence per measure and pair of models.
        findings: The sentences that report a significant difference.
    """

    probe: str
    models: tuple[str, ...]
    table: pl.DataFrame
    sentences: tuple[str, ...]
    findings: tuple[str, ...]

    def _repr_html_(self) -> str:
        columns = ["measure", "group", "models", "difference", "p"]
        rows = [
            [
                row["measure"],
                row["group"],
                f"{row['first']} − {row['second']}",
                interval_text(row["difference"], row["low"], row["high"]),
                p_text(row["p_adjusted"]),
            ]
            for row in self.table.iter_rows(named=True)
        ]
        return html_table(f"{self.probe}: {', '.join(self.models)}", self.sentences, columns, rows)


def compare(runs: Sequence[str | Path | Run]) -> Comparison:
    """Compare runs of the same probe on different models, item by item.

    The differences are resampled by the unit that each measure names, or by two crossed units. The p-values of the
    headline rows are corrected by Holm as one family (every measure and pair of models); those of single groups of
    items as another.

    Args:
        runs: At least two runs, their folders, or a folder above them.
    """
    opened = open_runs(runs)
    if len(opened) < 2:
        raise RunError("Comparing takes at least two runs of the same probe. Name one run per model.")
    for second in opened[1:]:
        reason = why_not_comparable(opened[0], second)
        if reason:
            raise RunError(f"{opened[0].folder} and {second.folder} cannot be compared: {reason}. {_COMPARABLE}")
    record = opened[0].record
    with must_fit(opened):
        settings = record.settings
        resampling = Resampling(settings["resamples"], settings["confidence"], settings["seed"])
        tables = {label: run.tables for label, run in zip(_labels(opened), opened, strict=True)}
        noise = {label: _noise_floor(run.record) for label, run in zip(tables, opened, strict=True)}
        return compare_tables(record.probe.name, record.comparisons, tables, resampling, noise)


def compare_tables(
    probe: str,
    measures: Sequence[PairedMeasure],
    tables: Mapping[str, Tables],
    resampling: Resampling,
    noise: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare the tables of several models.

    Args:
        probe: The name of the probe.
        measures: What is paired, and which unit is resampled.
        tables: The tables of each model, by its label.
        resampling: How differences are resampled.
        noise: How far the log-probabilities of a model behind an endpoint vary, by its label.
    """
    pairs = list(combinations(tables, 2))
    floors = noise or {}
    rows = [
        {"measure": measure.measure, "first": first, "second": second, **_in_noise(row, floors, first, second)}
        for measure in measures
        for first, second in pairs
        for row in _rows(measure, tables[first], tables[second], resampling)
    ]
    table = _corrected(pl.DataFrame(rows, schema={**COMPARISON_SCHEMA, **_INTERNAL}))
    headlines = table.filter("headline").to_dicts()
    named = {measure.measure: measure for measure in measures}
    sentences = [_sentence(row, named[row["measure"]]) for row in headlines]
    findings = [sentence for sentence, row in zip(sentences, headlines, strict=True) if _is_finding(row)]
    return Comparison(probe, tuple(tables), table.drop(*_INTERNAL), tuple(sentences), tuple(findings))


def why_not_comparable(first: Run, second: Run) -> str | None:
    """Why two runs cannot be compared, as the end of a sentence; None if they can."""
    if first.folder.resolve() == second.folder.resolve():
        return "they are the same run"
    if first.probe != second.probe:
        return f"one ran {first.probe}, the other {second.probe}"
    for run in (first, second):
        if not run.validity.can_be_interpreted:
            return f"{run.model} cannot be asked this, because {run.validity.reason}"
    if not first.record.comparisons:
        return f"{first.probe} has no measure that can be paired item by item"
    return different_inputs(first.record, second.record)


def different_inputs(first: RunRecord, second: RunRecord) -> str | None:
    """Why two runs measured different things, as the end of a sentence; None if they did not."""
    if first.mode != second.mode:
        return f"one ran in the mode {first.mode}, the other in {second.mode}"
    if first.probe.version != second.probe.version or first.materials != second.materials:
        materials = _differing(first.materials, second.materials)
        if materials == [RATINGS]:
            # Ratings also follow the files that hold them, so alone they are the user's own.
            return "they were measured with different ratings (recompute both with `tacit measure --ratings current`)"
        return f"their materials differ ({', '.join(materials) or 'another version'})"
    settings = _differing(first.plain_settings(), second.plain_settings())
    if settings:
        return f"their settings differ ({', '.join(settings)})"
    files = _differing(first.setting_hashes(), second.setting_hashes())
    return f"the files that their settings name differ ({', '.join(files)})" if files else None


def _differing(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return [name for name in {**first, **second} if first.get(name) != second.get(name)]


def _labels(runs: list[Run]) -> list[str]:
    """The names of the models, with the folder of the run where two have the same name."""
    names = [run.model for run in runs]
    return [name if names.count(name) == 1 else f"{name} ({run.folder})" for name, run in zip(names, runs, strict=True)]


def _rows(measure: PairedMeasure, left: Tables, right: Tables, resampling: Resampling) -> Iterator[dict[str, Any]]:
    """The headline row, over all items or those of one group, then a row per group."""
    paired = pair_items(measure, left, right)
    complete = paired.filter(is_number("value") & is_number("value_right"))
    group = OVERALL if measure.only is None else measure.only
    left_out = {"left_out": paired.height - complete.height}
    yield {"group": group, "headline": True} | left_out | paired_statistics(measure, complete, resampling)
    groups = complete["group"].drop_nulls().unique(maintain_order=True).to_list()
    if 1 < len(groups) <= _MOST_GROUPS:
        in_group = replace(measure, unit="items")  # the unit may say that groups are pooled, which these rows are not
        for name in groups:
            own = complete.filter(pl.col("group") == name)
            yield {"group": name, "headline": False} | paired_statistics(in_group, own, resampling)


def _noise_floor(record: RunRecord) -> float:
    floor = record.model.description.get("noise_floor")
    return float(floor) if isinstance(floor, int | float) else 0.0


def _in_noise(row: dict[str, Any], floors: Mapping[str, float], first: str, second: str) -> dict[str, Any]:
    """The row, with a caution if its difference is no larger than what the servers' answers vary by anyway."""
    floor = floors.get(first, 0.0) + floors.get(second, 0.0)
    if not floor or abs(row.get("difference", math.inf)) > floor:
        return {**row, "in_noise": False}
    cautions = [row["caution"], f"within the noise floor of {floor:.1e}"]
    return {**row, "in_noise": True, "caution": "; ".join(text for text in cautions if text)}


def _corrected(table: pl.DataFrame) -> pl.DataFrame:
    """The table with p-values corrected by Holm, among the headline rows and among the rows of groups."""
    table = table.with_columns(pl.col(pl.Float64).fill_nan(None)).with_row_index("order")
    adjusted = [
        family.with_columns(pl.Series("p_adjusted", holm(family["p"].fill_null(math.nan).to_numpy())).fill_nan(None))
        for family in table.partition_by("headline")
    ]
    return pl.concat([*adjusted, table.clear()]).sort("order").drop("order")


def _is_finding(row: dict[str, Any]) -> bool:
    return row["p_adjusted"] is not None and row["p_adjusted"] < SIGNIFICANT and not row["in_noise"]


def _sentence(row: dict[str, Any], measure: PairedMeasure) -> str:
    first, second = row["first"], row["second"]
    if not row["items"]:
        return f"{first} and {second} have no item in common with a defined {measure.measure}."
    numbers = [
        f"{measure.measure} {interval_text(row['difference'], row['low'], row['high'])}",
        p_text(row["p_adjusted"]) or "not tested",
        f"{row['items']:,} {measure.unit}",
        "" if measure.resampled == ("item",) else f"resampled by {row['unit']}",
        row["caution"] or "",
    ]
    text = ", ".join(part for part in numbers if part)
    if not _is_finding(row):
        return f"No significant difference between {first} and {second}: {text}."
    return f"{first} {measure.lower if row['difference'] < 0 else measure.higher} than {second}: {text}."
