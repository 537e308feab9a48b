"""The same probe on several models: paired differences, how sure they are, and whether the items keep their order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import PairedMeasure
from tacit.runs.opened import Run, open_runs
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
_MOST_GROUPS = 12
_SIGNIFICANT = 0.05
_RANK_RESAMPLES = 1000


@dataclass(frozen=True)
class Comparison:
    """What differs between models: a row a measure, group and pair of models, and a plain sentence for each pair."""

    probe: str
    models: tuple[str, ...]
    table: pl.DataFrame
    sentences: tuple[str, ...]
    findings: tuple[str, ...]
    """The sentences about differences that chance does not explain."""


def compare(runs: Sequence[str | Path | Run]) -> Comparison:
    """Pair the items of the same probe between models.

    The p-values of the rows over all items are corrected by Holm as one family (every measure and pair of models);
    those of single groups as another.
    """
    opened = open_runs(runs)
    if len(opened) < 2:
        raise TacitError("Comparing takes at least two runs of the same probe, on different models.")
    for other in opened[1:]:
        reason = why_not_comparable(opened[0], other)
        if reason:
            raise TacitError(f"{opened[0].folder} and {other.folder} cannot be compared: {reason}.")
    labels = _labels(opened)
    compared = opened[0].record.comparisons
    pairs = list(combinations(zip(labels, opened, strict=True), 2))
    rows = [row for measure in compared for first, second in pairs for row in _rows(measure, first, second)]
    table = _corrected(pl.DataFrame(rows, schema=COMPARISON_SCHEMA))
    said = list(_sentences(table, compared))
    findings = tuple(sentence for sentence, found in said if found)
    return Comparison(opened[0].probe, tuple(labels), table, tuple(sentence for sentence, _ in said), findings)


def why_not_comparable(a: Run, b: Run) -> str | None:
    """The reason why the two cannot be compared, if there is one."""
    first, second = a.record, b.record
    if a.folder.resolve() == b.folder.resolve():
        return "they are the same run"
    if first.probe.name != second.probe.name:
        return f"one ran {first.probe.name}, the other {second.probe.name}"
    if first.mode != second.mode:
        return f"one ran in the mode {first.mode}, the other {second.mode}"
    if first.probe.version != second.probe.version or first.materials != second.materials:
        files = [name for name in {**first.materials, **second.materials} if _differs(first, second, "materials", name)]
        return f"their materials differ ({', '.join(files) or 'another version'})"
    if first.settings != second.settings:
        named = [name for name in {**first.settings, **second.settings} if _differs(first, second, "settings", name)]
        return f"their settings differ ({', '.join(named)})"
    return None if first.comparisons else f"{first.probe.name} has no measure that can be paired item by item"


def _differs(first: Any, second: Any, part: str, name: str) -> bool:
    return bool(getattr(first, part).get(name) != getattr(second, part).get(name))


def _labels(runs: list[Run]) -> list[str]:
    """The models' names, with the folder where two are called the same."""
    names = [run.model for run in runs]
    return [name if names.count(name) == 1 else f"{name} ({run.folder})" for name, run in zip(names, runs, strict=True)]


def _rows(compared: PairedMeasure, first: tuple[str, Run], second: tuple[str, Run]) -> Iterator[dict[str, Any]]:
    columns = ["group", "item", "value"]
    of_measure = (pl.col("measure") == compared.measure) & pl.col("item").is_not_null()
    left, right = (run.measures.filter(of_measure).select(columns) for _, run in (first, second))
    paired = left.join(right, on=["group", "item"], how="full", coalesce=True, nulls_equal=True).sort("group", "item")
    whole = paired.filter(_is_number("value") & _is_number("value_right"))
    names = {"measure": compared.measure, "first": first[0], "second": second[0]}
    settings = first[1].record.settings
    yield names | {"group": OVERALL, "left_out": paired.height - whole.height} | _statistics(whole, settings)
    groups = whole["group"].drop_nulls().unique(maintain_order=True).to_list()
    if 1 < len(groups) <= _MOST_GROUPS:
        for group in groups:
            yield names | {"group": group} | _statistics(whole.filter(pl.col("group") == group), settings)


def _is_number(column: str) -> pl.Expr:
    return pl.col(column).is_not_null() & pl.col(column).is_finite()


def _statistics(paired: pl.DataFrame, settings: dict[str, Any]) -> dict[str, Any]:
    if paired.is_empty():
        return {"n": 0}
    a, b = paired["value"].to_numpy(), paired["value_right"].to_numpy()
    items = paired["item"].to_list()
    clusters = None if len({*items}) == len(items) else items
    draws = {"resamples": settings["resamples"], "seed": settings["seed"]}
    found = paired_difference(a, b, clusters=clusters, confidence=settings["confidence"], **draws)
    test = sign_flip_test(a - b, clusters=clusters, **draws)
    ranks = correlation(a, b, resamples=min(_RANK_RESAMPLES, settings["resamples"]), seed=settings["seed"])
    return {
        "first_mean": float(a.mean()),
        "second_mean": float(b.mean()),
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
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
    """Each sentence, and whether it tells of a difference."""
    words = {one.measure: one for one in compared}
    for row in table.filter(pl.col("group") == OVERALL).iter_rows(named=True):
        found = row["p_adjusted"] is not None and row["p_adjusted"] < _SIGNIFICANT
        yield _sentence(row, words[row["measure"]], found), found


def _sentence(row: dict[str, Any], words: PairedMeasure, found: bool) -> str:
    first, second = row["first"], row["second"]
    if not row["n"]:
        return f"{first} and {second} share no item with a {words.measure} that is defined for both."
    difference = interval_words(row["difference"], row["low"], row["high"])
    numbers = f"{words.measure} {difference}, {p_words(row['p_adjusted'])}, {row['n']:,} {words.unit}"
    if not found:
        return f"No difference between {first} and {second} can be told from chance: {numbers}."
    return f"{first} {words.lower if row['difference'] < 0 else words.higher} than {second}: {numbers}."
