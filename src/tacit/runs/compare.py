"""The same probe on several models: paired differences over the sampled units, tests, and rank correlations."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from tacit.asking.progress import OnStep, announced
from tacit.errors import RunError
from tacit.methods import get_method
from tacit.methods.agreement import Agreement
from tacit.methods.base import PairedMeasure, Tables
from tacit.notebook import html_table
from tacit.runs.comparable import why_not_asked, why_not_comparable
from tacit.runs.pairing import is_number, pair_items, paired_statistics
from tacit.runs.record import RunRecord
from tacit.runs.store import Run, must_fit, open_runs
from tacit.runs.text import interval_text, p_text
from tacit.statistics import Resampling, holm

__all__ = ["COMPARISON_SCHEMA", "Comparison", "compare", "compare_tables"]

_LOGGER = logging.getLogger(__name__)

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
        agreement: What the models find alike, where their method counts it; its sentences are in `sentences` too.
    """

    probe: str
    models: tuple[str, ...]
    table: pl.DataFrame
    sentences: tuple[str, ...]
    findings: tuple[str, ...]
    agreement: tuple[Agreement, ...] = ()

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.models)} on {self.probe}: {self.table.height} rows>"

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
        differences = html_table(f"{self.probe}: {', '.join(self.models)}", self.sentences, columns, rows)
        return differences + "".join(found._repr_html_() for found in self.agreement)


def compare(runs: Sequence[str | Path | Run], *, on_step: OnStep | None = None) -> Comparison:
    """Compare runs of the same probe on different models, item by item, or two probes of one study.

    The differences are resampled by the unit that each measure names, or by two crossed units. The p-values of the
    headline rows are corrected by Holm as one family (every measure and pair of models); those of single groups of
    items as another.

    Args:
        runs: At least two runs, their folders, or a folder above them. Runs of two probes are taken where their methods
            belong together, such as association and shift: then it is also counted what both find alike.
        on_step: Told what is being compared, how much of it is done, and of how much.
    """
    opened = open_runs(runs)
    if len(opened) < 2:
        raise RunError("Comparing takes at least two runs of the same probe. Name one run per model.")
    beside = _related(opened)
    if beside is not None:
        return _compare_methods(*beside, on_step)
    for second in opened[1:]:
        reason = why_not_comparable(opened[0], second)
        if reason:
            raise RunError(f"{opened[0].folder} and {second.folder} cannot be compared: {reason}. {_COMPARABLE}")
    return _compare_models(opened, on_step)


def _compare_models(opened: list[Run], on_step: OnStep | None) -> Comparison:
    """Runs of one probe."""
    record = opened[0].record
    with must_fit(opened):
        settings = record.settings
        resampling = Resampling(settings["resamples"], settings["confidence"], settings["seed"])
        tables = {label: run.tables for label, run in zip(_labels(opened), opened, strict=True)}
        noise = {label: _noise_floor(run.record) for label, run in zip(tables, opened, strict=True)}
        compared = compare_tables(record.probe.name, record.comparisons, tables, resampling, noise, on_step=on_step)
        return _with_agreement(compared, get_method(record.probe.method).agreement(tables))


def _related(runs: list[Run]) -> tuple[list[Run], list[Run]] | None:
    """The runs of a method, and those of the method that it is compared with; None where they are of one probe."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.record.probe.method, []).append(run)
    for method, own in groups.items():
        others = groups.get(get_method(method).compared_with or "")
        if others is not None and len(groups) == 2:
            return own, others
    return None


def _compare_methods(own: list[Run], others: list[Run], on_step: OnStep | None) -> Comparison:
    """Runs of two methods of one study: the models within each, and what both find alike."""
    for group in (own, others):
        reasons = [why_not_comparable(group[0], second) for second in group[1:]]
        reasons += [why_not_asked(group[0])] if len(group) == 1 else []
        for reason in filter(None, reasons):
            raise RunError(f"The runs of {group[0].probe} cannot be compared: {reason}. {_COMPARABLE}")
    parts = [_compare_models(group, on_step) for group in (own, others) if len(group) > 1]
    with must_fit([*own, *others]):
        tables, beside = (
            dict(zip(_labels(group), (run.tables for run in group), strict=True)) for group in (own, others)
        )
        agreement = get_method(own[0].record.probe.method).agreement(tables, beside)
    if not agreement:
        raise RunError(f"No model ran both {own[0].probe} and {others[0].probe}. {_COMPARABLE}")
    models = tuple(dict.fromkeys([*tables, *beside]))
    empty = pl.DataFrame(schema=COMPARISON_SCHEMA)
    whole = Comparison(
        probe=f"{own[0].probe} and {others[0].probe}",
        models=models,
        table=pl.concat([empty, *(part.table for part in parts)]),
        sentences=tuple(f"{part.probe}: {sentence}" for part in parts for sentence in part.sentences),
        findings=tuple(f"{part.probe}: {sentence}" for part in parts for sentence in part.findings),
    )
    both = [one for one in agreement if one.name == "tests"]
    # Both probes count what their models share, so the name says which.
    within = [
        replace(one, name=f"{part.probe}-{one.name}", title=f"{one.title}, {part.probe}")
        for part in parts
        for one in part.agreement
    ]
    return replace(_with_agreement(whole, both), agreement=(*within, *both))


def _with_agreement(comparison: Comparison, agreement: Sequence[Agreement]) -> Comparison:
    said = tuple(sentence for one in agreement for sentence in one.sentences)
    return replace(comparison, sentences=(*comparison.sentences, *said), agreement=tuple(agreement))


def compare_tables(
    probe: str,
    measures: Sequence[PairedMeasure],
    tables: Mapping[str, Tables],
    resampling: Resampling,
    noise: Mapping[str, float] | None = None,
    *,
    on_step: OnStep | None = None,
) -> Comparison:
    """Compare the tables of several models.

    Args:
        probe: The name of the probe.
        measures: What is paired, and which unit is resampled.
        tables: The tables of each model, by its label.
        resampling: How differences are resampled.
        noise: How far the log-probabilities of a model behind an endpoint vary, by its label.
        on_step: Told how many of the measures and pairs of models are done.
    """
    began, floors = time.monotonic(), noise or {}
    jobs = [(measure, *pair) for measure in measures for pair in combinations(tables, 2)]
    title = f"Comparing {len(tables)} models on {probe}"
    rows = [
        {"measure": measure.measure, "first": first, "second": second, **_in_noise(row, floors, first, second)}
        for measure, first, second in announced(jobs, lambda _: title, on_step)
        for row in _rows(measure, tables[first], tables[second], resampling)
    ]
    table = _corrected(pl.DataFrame(rows, schema={**COMPARISON_SCHEMA, **_INTERNAL}))
    headlines = table.filter("headline").to_dicts()
    named = {measure.measure: measure for measure in measures}
    sentences = [_sentence(row, named[row["measure"]]) for row in headlines]
    findings = [sentence for sentence, row in zip(sentences, headlines, strict=True) if _is_finding(row)]
    _LOGGER.info("%s: %d rows in %.1f s", title, table.height, time.monotonic() - began)
    return Comparison(probe, tuple(tables), table.drop(*_INTERNAL), tuple(sentences), tuple(findings))


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
