"""The same probe on several models: paired differences with intervals, tests, and rank correlations of the items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import RunError
from tacit.methods.base import PairedMeasure
from tacit.runs.record import RunRecord
from tacit.runs.store import Run, open_runs
from tacit.runs.text import interval_words, p_words
from tacit.statistics import correlation, holm, paired_difference, sign_flip_test

__all__ = ["COMPARISON_SCHEMA", "Comparison", "compare", "why_not_comparable"]

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
    "n": pl.Int64,
    "left_out": pl.Int64,
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "rank_correlation": pl.Float64,
    "rank_low": pl.Float64,
    "rank_high": pl.Float64,
}
_COMPARABLE = "Name runs of one probe on different models, with the same materials and settings."
_MOST_GROUPS = 12
_SIGNIFICANT = 0.05
_RANK_RESAMPLES = 1000


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


def compare(runs: Sequence[str | Path | Run]) -> Comparison:
    """Compare runs of the same probe on different models, item by item.

    The p-values over all items are corrected by Holm as one family (every measure and pair of models); those of single
    groups of items as another.

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
    labels = _labels(opened)
    compared = opened[0].record.comparisons
    pairs = list(combinations(zip(labels, opened, strict=True), 2))
    rows = [row for measure in compared for first, second in pairs for row in _rows(measure, first, second)]
    table = _corrected(pl.DataFrame(rows, schema=COMPARISON_SCHEMA))
    sentences = list(_sentences(table, compared))
    findings = tuple(sentence for sentence, is_finding in sentences if is_finding)
    return Comparison(opened[0].probe, tuple(labels), table, tuple(sentence for sentence, _ in sentences), findings)


def why_not_comparable(first: Run, second: Run) -> str | None:
    """Why two runs cannot be compared, as the end of a sentence; None if they can."""
    if first.folder.resolve() == second.folder.resolve():
        return "they are the same run"
    if first.probe != second.probe:
        return f"one ran {first.probe}, the other {second.probe}"
    if not first.record.comparisons:
        return f"{first.probe} has no measure that can be paired item by item"
    return _different_inputs(first.record, second.record)


def _different_inputs(first: RunRecord, second: RunRecord) -> str | None:
    if first.mode != second.mode:
        return f"one ran in the mode {first.mode}, the other in {second.mode}"
    if first.probe.version != second.probe.version or first.materials != second.materials:
        materials = _differing(first.materials, second.materials)
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


def _rows(compared: PairedMeasure, first: tuple[str, Run], second: tuple[str, Run]) -> Iterator[dict[str, Any]]:
    columns = ["group", "item", "value"]
    of_measure = (pl.col("measure") == compared.measure) & pl.col("item").is_not_null()
    left, right = (run.measures.filter(of_measure).select(columns) for _, run in (first, second))
    paired = left.join(right, on=["group", "item"], how="full", coalesce=True, nulls_equal=True).sort("group", "item")
    complete = paired.filter(_is_number("value") & _is_number("value_right"))
    names = {"measure": compared.measure, "first": first[0], "second": second[0]}
    settings = first[1].record.settings
    yield names | {"group": OVERALL, "left_out": paired.height - complete.height} | _statistics(complete, settings)
    groups = complete["group"].drop_nulls().unique(maintain_order=True).to_list()
    if 1 < len(groups) <= _MOST_GROUPS:
        for group in groups:
            yield names | {"group": group} | _statistics(complete.filter(pl.col("group") == group), settings)


def _is_number(column: str) -> pl.Expr:
    return pl.col(column).is_not_null() & pl.col(column).is_finite()


def _statistics(paired: pl.DataFrame, settings: dict[str, Any]) -> dict[str, Any]:
    if paired.is_empty():
        return {"n": 0}
    a, b = paired["value"].to_numpy(), paired["value_right"].to_numpy()
    items = paired["item"].to_list()
    clusters = None if len({*items}) == len(items) else items
    draws = {"resamples": settings["resamples"], "seed": settings["seed"]}
    interval = paired_difference(a, b, clusters=clusters, confidence=settings["confidence"], **draws)
    test = sign_flip_test(a - b, clusters=clusters, **draws)
    ranks = correlation(a, b, resamples=min(_RANK_RESAMPLES, settings["resamples"]), seed=settings["seed"])
    return {
        "first_mean": float(a.mean()),
        "second_mean": float(b.mean()),
        "difference": interval.value,
        "low": interval.low,
        "high": interval.high,
        "n": interval.n,
        "p": test.p,
        "rank_correlation": ranks.value,
        "rank_low": ranks.low,
        "rank_high": ranks.high,
    }


def _corrected(table: pl.DataFrame) -> pl.DataFrame:
    table = table.with_columns(pl.col(pl.Float64).fill_nan(None)).with_row_index("order")
    families = table.with_columns((pl.col("group") == OVERALL).alias("overall")).partition_by("overall")
    adjusted = [
        family.with_columns(pl.Series("p_adjusted", holm(family["p"].fill_null(math.nan).to_numpy())).fill_nan(None))
        for family in families
    ]
    return pl.concat(adjusted).sort("order").select(list(COMPARISON_SCHEMA)) if adjusted else table.drop("order")


def _sentences(table: pl.DataFrame, compared: Sequence[PairedMeasure]) -> Iterator[tuple[str, bool]]:
    """Each sentence, and whether it reports a significant difference."""
    measures = {measure.measure: measure for measure in compared}
    for row in table.filter(pl.col("group") == OVERALL).iter_rows(named=True):
        is_finding = row["p_adjusted"] is not None and row["p_adjusted"] < _SIGNIFICANT
        yield _sentence(row, measures[row["measure"]], is_finding), is_finding


def _sentence(row: dict[str, Any], measure: PairedMeasure, is_finding: bool) -> str:
    first, second = row["first"], row["second"]
    if not row["n"]:
        return f"{first} and {second} have no item in common with a defined {measure.measure}."
    difference = interval_words(row["difference"], row["low"], row["high"])
    numbers = f"{measure.measure} {difference}, {p_words(row['p_adjusted'])}, {row['n']:,} {measure.unit}"
    if not is_finding:
        return f"No significant difference between {first} and {second}: {numbers}."
    return f"{first} {measure.lower if row['difference'] < 0 else measure.higher} than {second}: {numbers}."
