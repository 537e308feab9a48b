"""Means of the items with their intervals: overall, per category and per word, with and without context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from tacit.methods.base import MEASURE_SCHEMA, MeasureRow, Settings, measure_row
from tacit.methods.contrast.estimates import Columns, Units, estimate
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials
from tacit.methods.contrast.verdicts import CONTEXT, PREFERS, judge

__all__ = [
    "GAIN",
    "MEASURES",
    "Group",
    "Scores",
    "category_groups",
    "gains_table",
    "item_measures",
    "mean_rows",
    "measure_name",
    "word_groups",
    "word_means",
]

MEASURES = {"acc": 0.5, "MRR": None, "diff": 0.0}
"""The measures, each with the value that means no preference."""

GAIN = "acc gain from context"


@dataclass(frozen=True)
class Group:
    """A selection of items: all of them, or those of one category or word."""

    level: Literal["all", "category", "word"]
    name: str

    def select(self, items: Columns) -> Columns:
        """The items that belong to the group."""
        return items if self.level == "all" else items.where(items[self.level] == self.name)


@dataclass(frozen=True)
class Scores:
    """The scores of all items.

    Attributes:
        by_context: The items that were asked in each context.
        gains: What context adds, for the items that were asked both ways; None if there are none.
    """

    by_context: dict[str, Columns]
    gains: Columns | None

    @classmethod
    def of(cls, items: pl.DataFrame) -> Scores:
        """The scores in the item table."""
        asked = {context: items.filter(pl.col("context") == context) for context in (WITH, WITHOUT)}
        gains = gains_table(items)
        by_context = {context: Columns.of(table) for context, table in asked.items() if len(table)}
        return cls(by_context, Columns.of(gains) if len(gains) else None)


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
    materials: ContrastMaterials, settings: Settings, scores: Scores, groups: list[Group]
) -> list[MeasureRow]:
    """Means over the items of each group, and over what context adds to them.

    Tested are accuracy (one family per level: all items, or each word) and, over all items, what context adds to it.
    """
    units = Units(materials.noun, materials.frame)
    rows: list[MeasureRow] = []
    for group in groups:
        for context, items in scores.by_context.items():
            rows += _context_rows(settings, units, group.select(items), group, context)
        if scores.gains is not None:
            rows += _gain_rows(settings, units, group.select(scores.gains), group)
    return _judged(rows, groups)


def item_measures(items: pl.DataFrame) -> pl.DataFrame:
    """One row of the measures per item and measure, for comparing models item by item."""
    scores = [
        items.select(
            measure=pl.when(pl.col("context") == WITH)
            .then(pl.lit(measure_name(measure, WITH)))
            .otherwise(pl.lit(measure_name(measure, WITHOUT))),
            group="category",
            item="item",
            value=measure,
            neutral=pl.lit(neutral, pl.Float64),
        )
        for measure, neutral in MEASURES.items()
    ]
    blank = pl.DataFrame(schema=MEASURE_SCHEMA)
    return pl.concat([blank, *scores], how="diagonal")


def gains_table(items: pl.DataFrame) -> pl.DataFrame:
    """With minus without context, for each item that was asked both ways."""
    keys = ["item", "word", "category", "frame"]
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


def _context_rows(settings: Settings, units: Units, items: Columns, group: Group, context: str) -> Iterator[MeasureRow]:
    counts, shortlisted = _counts_text(items), _is_shortlisted(items)
    for measure, neutral in MEASURES.items():
        notes = [counts, "ranks among a shortlist, not the vocabulary" if shortlisted and measure != "acc" else ""]
        mean = estimate(items, measure, units, settings.confidence)
        tested = measure == "acc" and context == WITH and group.level != "category"
        yield measure_row(
            measure_name(measure, context),
            group.name,
            mean.interval,
            neutral=neutral,
            unit=mean.unit,
            caution=mean.caution,
            p=mean.p if tested else None,
            note="; ".join(note for note in notes if note) or None,
        )


def _gain_rows(settings: Settings, units: Units, gains: Columns, group: Group) -> Iterator[MeasureRow]:
    for measure in MEASURES:
        gain = estimate(gains, measure, units, settings.confidence, gain=True)
        tested = measure == "acc" and group.level == "all"
        yield measure_row(
            f"{measure} gain from context",
            group.name,
            gain.interval,
            neutral=0.0,
            unit=gain.unit,
            caution=gain.caution,
            p=gain.p if tested else None,
        )


def _judged(rows: list[MeasureRow], groups: list[Group]) -> list[MeasureRow]:
    """The rows with verdicts on accuracy, one family per level of groups, and on what context adds."""
    names = {group.name for group in groups if group.level != "category"}
    families = {"acc": PREFERS, GAIN: CONTEXT}
    for measure, sides in families.items():
        own = [k for k, row in enumerate(rows) if row["measure"] == measure and row["group"] in names]
        for k, row in zip(own, judge([rows[k] for k in own], sides), strict=True):
            rows[k] = row
    return rows


def _counts_text(items: Columns) -> str:
    """What a reader must know about the items behind a number."""
    counts = {
        "ties": items["tie"].sum(),
        "with a word of several tokens": items["several"].sum(),
        "with a word that the model cannot write": items["missing"].sum(),
    }
    return "; ".join(f"{count} {what}" for what, count in counts.items() if count)


def _is_shortlisted(items: Columns) -> bool:
    return any(str(way).startswith("whole sentences") for way in {*items["ranked_among"]})
