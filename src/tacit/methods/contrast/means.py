"""Means of the items with their intervals: per word, category and overall, with and without context."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials
from tacit.statistics import Interval, bootstrap, share_interval

__all__ = [
    "ALL_ITEMS",
    "FEWEST_WORDS",
    "MEASURES",
    "Group",
    "category_groups",
    "gains_table",
    "item_rows",
    "mean_rows",
    "measure_name",
    "table_interval",
    "word_groups",
    "word_means",
]

MEASURES = {"acc": 0.5, "MRR": None, "diff": 0.0}
"""The measures, each with the value that means no preference."""

FEWEST_WORDS = 4
"""With fewer words than this, words are not resampled and no correlation over words is computed."""


@dataclass(frozen=True)
class Group:
    """A selection of items: all of them, or those of one category or word."""

    level: Literal["all", "category", "word"]
    name: str

    def select(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of a table that belong to the group."""
        return table if self.level == "all" else table.filter(pl.col(self.level) == self.name)


ALL_ITEMS = Group("all", "all items")


def category_groups(materials: ContrastMaterials) -> list[Group]:
    """One group per category; none if there is only one category."""
    categories = materials.categories if len(materials.categories) > 1 else ()
    return [Group("category", category) for category in categories]


def word_groups(materials: ContrastMaterials) -> list[Group]:
    """One group per word."""
    return [Group("word", word) for word in materials.words]


def measure_name(measure: str, context: str) -> str:
    """The name of a measure in the measures table, with and without context."""
    return measure if context == WITH else f"{measure} without context"


def mean_rows(
    settings: Settings, items: pl.DataFrame, gains: pl.DataFrame, groups: Iterable[Group]
) -> list[MeasureRow]:
    """Means over the items of each group, and over what context adds to them.

    The interval of a word resamples its sentences. The interval of a category, and of all items, resamples whole words,
    because sentences of the same word are not independent evidence about the category. Fewer than four words are not a
    sample of words (two would give an interval of two values), so sentences are resampled there too.
    """
    tables = {context: items.filter(pl.col("context") == context) for context in (WITH, WITHOUT)}
    rows: list[MeasureRow] = []
    for group in groups:
        for context, table in tables.items():
            if not table.is_empty():
                rows += _context_rows(settings, group.select(table), group, context)
        if not gains.is_empty():
            rows += _gain_rows(settings, group.select(gains), group)
    return rows


def item_rows(items: pl.DataFrame) -> list[MeasureRow]:
    """One row per item and measure, for comparing models item by item."""
    return [
        measure_row(
            measure_name(measure, row["context"]), row["category"], row[measure], item=row["item"], neutral=neutral
        )
        for measure, neutral in MEASURES.items()
        for row in items.iter_rows(named=True)
    ]


def gains_table(items: pl.DataFrame) -> pl.DataFrame:
    """With minus without context, for each item that was asked both ways."""
    keys = ["item", "word", "category"]
    scores = {
        context: items.filter(pl.col("context") == context).select(*keys, *MEASURES) for context in (WITH, WITHOUT)
    }
    paired = scores[WITH].join(scores[WITHOUT], on=keys, how="inner", suffix=" without", maintain_order="left")
    return paired.select(*keys, *(pl.col(measure) - pl.col(f"{measure} without") for measure in MEASURES))


def word_means(materials: ContrastMaterials, items: pl.DataFrame) -> pl.DataFrame:
    """One row per word and context: the means, and how many items are tied, missing or have several tokens."""
    counts = [pl.col(name).sum().cast(pl.Int64).alias(f"{name}_items") for name in ("tie", "several", "missing")]
    means = items.group_by("word", "category", "context").agg(
        *(pl.col(measure).mean() for measure in MEASURES), pl.len().cast(pl.Int64).alias("items"), *counts
    )
    order = pl.DataFrame({"word": list(materials.words), "order": range(len(materials.words))})
    return means.join(order, on="word").sort("order", "context").drop("order")


def table_interval(interval: Interval) -> Interval | float | None:
    """The interval as a table holds it: a bare value where one unit gives no bounds, None where it is undefined."""
    if math.isnan(interval.value):
        return None
    if math.isnan(interval.low):
        return interval.value
    # Resampled means are computed around the value, which can leave a bound of 0 at 1e-18.
    return replace(interval, low=round(interval.low, 12) + 0.0, high=round(interval.high, 12) + 0.0)


def _context_rows(settings: Settings, items: pl.DataFrame, group: Group, context: str) -> Iterator[MeasureRow]:
    for measure, neutral in MEASURES.items():
        row = measure_row(measure_name(measure, context), group.name, _mean(settings, items, measure))
        yield {**row, "n": items[measure].count(), "neutral": neutral, "note": _note(items, measure)}


def _gain_rows(settings: Settings, gains: pl.DataFrame, group: Group) -> Iterator[MeasureRow]:
    for measure in MEASURES:
        row = measure_row(f"{measure} gain from context", group.name, _mean(settings, gains, measure))
        yield {**row, "n": gains[measure].count(), "neutral": 0.0}


def _mean(settings: Settings, items: pl.DataFrame, column: str) -> Interval | float | None:
    defined = items.filter(pl.col(column).is_not_null())
    if defined.is_empty():
        return None
    values = defined[column].to_numpy()
    clustered = defined["word"].n_unique() >= FEWEST_WORDS
    if column == "acc" and not clustered and np.isin(values, (0.0, 1.0)).all():
        # If all sentences of a word are right (or none is), a bootstrap interval would have no width.
        return share_interval(values, confidence=settings.confidence)
    interval = bootstrap(
        values,
        clusters=defined["word"].to_list() if clustered else None,
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )
    return table_interval(interval)


def _note(items: pl.DataFrame, measure: str) -> str | None:
    """What a reader must know about the items behind a number."""
    counts = {
        "ties": items["tie"].sum(),
        "with a word of several tokens": items["several"].sum(),
        "with a word that the model cannot write": items["missing"].sum(),
    }
    notes = [f"{count} {what}" for what, count in counts.items() if count]
    scoring = items["ranked_among"].drop_nulls().unique()
    if measure != "acc" and any(way.startswith("whole sentences") for way in scoring):
        notes.append("ranks among a shortlist, not the vocabulary")
    return "; ".join(notes) or None
