"""From items to measures: per word, category and overall, with and without context, and what context adds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.items import WITH, WITHOUT
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.statistics import Interval, bootstrap, share_interval

__all__ = [
    "ALL",
    "FEWEST_WORDS",
    "MEASURES",
    "Group",
    "by_category",
    "by_word",
    "gains_table",
    "item_rows",
    "mean_rows",
    "named",
    "overall",
    "settled",
    "word_means",
]

ALL = "all items"
MEASURES = {"acc": 0.5, "MRR": None, "diff": 0.0}
"""The measures, with the value that leans neither way."""

FEWEST_WORDS = 4
"""Fewer words than this are not resampled as words, and no correlation is computed over them."""


@dataclass(frozen=True)
class Group:
    """Some of the items: all of them, those of a category, or those of a word."""

    level: str
    name: str

    def of(self, table: pl.DataFrame) -> pl.DataFrame:
        return table if self.level == "all" else table.filter(pl.col(self.level) == self.name)


def overall() -> list[Group]:
    """All items."""
    return [Group("all", ALL)]


def by_category(materials: ContrastMaterials) -> list[Group]:
    """The items of each category, where there are several."""
    several = materials.categories if len(materials.categories) > 1 else ()
    return [Group("category", category) for category in several]


def by_word(materials: ContrastMaterials) -> list[Group]:
    """The items of each word."""
    return [Group("word", word) for word in materials.words]


def named(measure: str, context: str) -> str:
    """How a measure is called with and without context."""
    return measure if context == WITH else f"{measure} without context"


def mean_rows(
    settings: Settings, items: pl.DataFrame, gains: pl.DataFrame, groups: Iterable[Group]
) -> list[MeasureRow]:
    """Means over the items of each group.

    A word's interval resamples its sentences; the interval of a category, and of all, resamples whole words, because
    sentences of the same word are no independent evidence about the category. Fewer than four words are no sample of
    words (two would give an interval of two values), so there, too, sentences are resampled.
    """
    tables = {context: items.filter(pl.col("context") == context) for context in (WITH, WITHOUT)}
    rows: list[MeasureRow] = []
    for group in groups:
        for context, table in tables.items():
            if not table.is_empty():
                rows += _means(settings, table, group, context)
        if not gains.is_empty():
            rows += _gains(settings, gains, group)
    return rows


def item_rows(items: pl.DataFrame) -> list[MeasureRow]:
    """A row an item and measure, for comparing models item by item."""
    return [
        measure_row(named(measure, row["context"]), row["category"], row[measure], item=row["item"], neutral=neutral)
        for measure, neutral in MEASURES.items()
        for row in items.iter_rows(named=True)
    ]


def gains_table(items: pl.DataFrame) -> pl.DataFrame:
    """Items that were asked with and without context: what context adds to each measure."""
    keys = ["item", "word", "category"]
    sides = {
        context: items.filter(pl.col("context") == context).select(*keys, *MEASURES) for context in (WITH, WITHOUT)
    }
    paired = sides[WITH].join(sides[WITHOUT], on=keys, how="inner", suffix=" without", maintain_order="left")
    return paired.select(*keys, *(pl.col(measure) - pl.col(f"{measure} without") for measure in MEASURES))


def word_means(materials: ContrastMaterials, items: pl.DataFrame) -> pl.DataFrame:
    """One row a word and context: the means, and how many items were counted, tied, missing or of several tokens."""
    counts = {name: pl.col(name).sum().cast(pl.Int64).alias(f"{name}_items") for name in ("tie", "several", "missing")}
    means = items.group_by("word", "category", "context").agg(
        *(pl.col(measure).mean() for measure in MEASURES), pl.len().cast(pl.Int64).alias("items"), *counts.values()
    )
    order = pl.DataFrame({"word": list(materials.words), "order": range(len(materials.words))})
    return means.join(order, on="word").sort("order", "context").drop("order")


def settled(interval: Interval) -> Interval | float | None:
    """The interval as a table holds it: a bare value where one unit gives no bounds, nothing where it is undefined."""
    if math.isnan(interval.value):
        return None
    if math.isnan(interval.low):
        return interval.value
    # Resampled means are taken around the value, which leaves a share of none at 1e-18 instead of 0.
    return replace(interval, low=round(interval.low, 12) + 0.0, high=round(interval.high, 12) + 0.0)


def _means(settings: Settings, table: pl.DataFrame, group: Group, context: str) -> Iterator[MeasureRow]:
    part = group.of(table)
    for measure, neutral in MEASURES.items():
        row = measure_row(named(measure, context), group.name, _mean(settings, part, measure))
        yield {**row, "n": part[measure].count(), "neutral": neutral, "note": _note(part, measure)}


def _gains(settings: Settings, gains: pl.DataFrame, group: Group) -> Iterator[MeasureRow]:
    part = group.of(gains)
    for measure in MEASURES:
        row = measure_row(f"{measure} gain from context", group.name, _mean(settings, part, measure))
        yield {**row, "n": part[measure].count(), "neutral": 0.0}


def _mean(settings: Settings, part: pl.DataFrame, column: str) -> Interval | float | None:
    counted = part.filter(pl.col(column).is_not_null())
    if counted.is_empty():
        return None
    values = counted[column].to_numpy()
    clustered = counted["word"].n_unique() >= FEWEST_WORDS
    if column == "acc" and not clustered and np.isin(values, (0.0, 1.0)).all():
        # Of one word's sentences none or all may be right, and a bootstrap would call that certain.
        return share_interval(values, confidence=settings.confidence)
    found = bootstrap(
        values,
        clusters=counted["word"].to_list() if clustered else None,
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )
    return settled(found)


def _note(part: pl.DataFrame, measure: str) -> str | None:
    """What a reader must know of the items behind a number."""
    said = [
        f"{count} {words}"
        for count, words in (
            (part["tie"].sum(), "ties"),
            (part["several"].sum(), "with a word of several tokens"),
            (part["missing"].sum(), "with a word that the model cannot write"),
        )
        if count
    ]
    among = part["ranked_among"].drop_nulls().unique()
    if measure != "acc" and any(made.startswith("whole sentences") for made in among):
        said.append("ranks among a shortlist, not the vocabulary")
    return "; ".join(said) or None
