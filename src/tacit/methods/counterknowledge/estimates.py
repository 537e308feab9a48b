"""Means over items as rows: the two groups of items count alike, and items and backgrounds are the sampled units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars.selectors as cs

from tacit.methods.base import FEW_UNITS, MeasureRow, measure_row, plural
from tacit.methods.counterknowledge.grammar import BASE, Grammar
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.statistics import Interval, StrataMean, mean_of_strata

__all__ = ["Floats", "Sample", "mean_row", "samples_by_kind"]

Floats = npt.NDArray[np.float64]
# Means over equal backgrounds and shares are rounded; that noise must not count as a difference.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Sample:
    """The prompts of one kind at one reach.

    Attributes:
        grammar: What items and groups are called.
        items: The number of the item that each prompt is about.
        backgrounds: The number of the item that its knowledge names beside it; None where it names none.
        groups: The number of the group that dominates the item.
        columns: The measures of each prompt; NaN where one is undefined.
    """

    grammar: Grammar
    items: npt.NDArray[np.int64]
    backgrounds: npt.NDArray[np.int64] | None
    groups: npt.NDArray[np.int64]
    columns: dict[str, Floats]

    def by_item(self, values: Floats) -> Floats:
        """The mean of each item over its prompts; NaN for an item without a prompt."""
        sums, counts = np.bincount(self.items, weights=values), np.bincount(self.items)
        means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        return means

    def change(self, base: Sample, column: str) -> Floats:
        """How far a measure of each prompt is from that of its item's base prompt."""
        change = self.columns[column] - base.by_item(base.columns[column])[self.items]
        return np.where(np.abs(change) < _ROUNDING, 0.0, change)

    def mean(self, values: Floats) -> StrataMean | None:
        """The mean of the two groups' means; None where a group has no item with a value."""
        known = ~np.isnan(values)
        if len(np.unique(self.groups[known])) < 2:
            return None
        others = None if self.backgrounds is None else self.backgrounds[known]
        return mean_of_strata(values[known], self.groups[known], self.items[known], others)

    def caution(self, values: Floats) -> str | None:
        """Why the interval of a mean must be read with care: few items, few backgrounds, or few that differ."""
        of_items = np.round(self.by_item(values) / _ROUNDING)
        counts = np.unique(of_items[~np.isnan(of_items)], return_counts=True)[1]
        differing = int(counts.sum() - counts.max()) if counts.max() > 1 else int(counts.sum())
        few = [(int(counts.sum()), self.grammar.singular), (differing, f"differing {self.grammar.singular}")]
        if self.backgrounds is not None:
            few.append((len(np.unique(self.backgrounds)), "background"))
        return next(
            (f"only {count} {noun if count == 1 else plural(noun)}" for count, noun in few if count < FEW_UNITS), None
        )


def samples_by_kind(materials: CounterknowledgeMaterials, prompts: pl.DataFrame) -> dict[str, Sample]:
    """The prompts of one reach as samples, by kind, in the order of the grammar."""
    number = {item.name: position for position, item in enumerate(materials.items)}
    group = {name: position for position, name in enumerate(materials.grammar.groups)}
    coded = prompts.with_columns(
        pl.col("item").replace_strict(number, return_dtype=pl.Int64),
        pl.col("background").replace_strict(number, default=None, return_dtype=pl.Int64),
        pl.col("dominant").replace_strict(group, return_dtype=pl.Int64),
    ).sort("item", "background")
    kinds, columns = coded["kind"].to_numpy(), _columns(coded)
    backgrounds = coded["background"].fill_null(-1).to_numpy()
    samples = {}
    for kind in (BASE, *(kind.name for kind in materials.grammar.kinds)):
        rows = np.flatnonzero(kinds == kind)
        if rows.size:
            samples[kind] = Sample(
                materials.grammar,
                coded["item"].to_numpy()[rows],
                backgrounds[rows] if backgrounds[rows].min() >= 0 else None,
                coded["dominant"].to_numpy()[rows],
                {name: values[rows] for name, values in columns.items()},
            )
    return samples


def _columns(prompts: pl.DataFrame) -> dict[str, Floats]:
    measures = prompts.select(cs.float().fill_null(float("nan")))
    return {name: measures[name].to_numpy() for name in measures.columns}


def mean_row(
    measure: str,
    kind: str,
    sample: Sample,
    values: Floats,
    *,
    confidence: float,
    shown: Callable[[float], float] = float,
    skewed: bool = False,
    **more: Any,
) -> MeasureRow:
    """A mean over items as a row; without an interval where all items have the same value.

    Args:
        measure: The name of the measure.
        kind: The kind of prompt.
        sample: The prompts.
        values: One value per prompt.
        confidence: The confidence of the interval.
        shown: Applied to the value and to the ends of its interval.
        skewed: Whether few items may dominate the values, as with probabilities, so that the interval allows for it.
        more: Further columns of the row.
    """
    mean = sample.mean(values)
    more = {"unit": sample.grammar.singular, **more}
    if mean is None:
        missing = f"one group has no {sample.grammar.singular} with a value"
        return measure_row(measure, kind, None, note=missing, **more)
    if not mean.error > 0:
        items = sample.grammar.plural
        why = f"the same for all {items} of a group" if mean.error == 0 else f"too few {items} for an interval"
        return measure_row(measure, kind, shown(mean.value), n=mean.n, caution=why, **more)
    ends = mean.skewed_interval(confidence) if skewed else mean.interval(confidence)
    interval = Interval(shown(ends.value), shown(ends.low), shown(ends.high), confidence, mean.n, ends.method)
    return measure_row(measure, kind, interval, caution=sample.caution(values), **more)
