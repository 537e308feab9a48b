"""One measure of two models on the same items: paired, and their difference over the units that were sampled."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tacit.errors import RunError
from tacit.methods.base import FEW_UNITS, PairedMeasure, Tables, plural
from tacit.statistics import (
    Interval,
    Resampling,
    bounded_mean,
    correlation,
    crossed_mean,
    mean_of_strata,
    paired_difference,
    sign_flip_test,
)

__all__ = ["is_number", "pair_items", "paired_statistics"]

_RANK_RESAMPLES = 1000


def pair_items(measure: PairedMeasure, left: Tables, right: Tables) -> pl.DataFrame:
    """The values of both models per group and item, with the units that each item belongs to."""
    chosen = (pl.col("measure") == measure.measure) & pl.col("item").is_not_null()
    if measure.only is not None:
        chosen &= pl.col("group") == measure.only
    a, b = (_values(measure, tables["measures"].filter(chosen)) for tables in (left, right))
    keys = ["group", "item"]
    paired = a.join(b, on=keys, how="full", coalesce=True, nulls_equal=True).sort(keys)
    if measure.resampled == ("item",) and measure.strata is None:
        return paired
    units = pl.concat([_units(measure, tables) for tables in (left, right)]).unique(keys, maintain_order=True)
    return paired.join(units, on=keys, how="left", nulls_equal=True, maintain_order="left")


def _values(measure: PairedMeasure, items: pl.DataFrame) -> pl.DataFrame:
    """The value of each item with its bounds: where only these are known, their middle; otherwise the value itself."""
    if not measure.unknown:
        return items.select("group", "item", "value", low="value", high="value")
    value = pl.coalesce("value", (pl.col("low") + pl.col("high")) / 2)
    return items.select("group", "item", value, low=pl.coalesce("low", value), high=pl.coalesce("high", value))


def _units(measure: PairedMeasure, tables: Tables) -> pl.DataFrame:
    wanted = [name for name in (*measure.resampled, measure.strata) if name not in ("item", None)]
    columns = ["group", "item", *wanted]
    if "units" not in tables or not {*columns} <= {*tables["units"].columns}:
        raise RunError(
            f"{measure.measure} is compared by {' and '.join(map(str, wanted))}, but a run has no table `units` that "
            "says which item belongs to which. Recompute the runs with `tacit measure`."
        )
    return tables["units"].select(columns)


def is_number(column: str) -> pl.Expr:
    """Whether a column holds a finite number."""
    return pl.col(column).is_not_null() & pl.col(column).is_finite()


def paired_statistics(measure: PairedMeasure, paired: pl.DataFrame, resampling: Resampling) -> dict[str, Any]:
    """The columns of a comparison that are about one set of paired items."""
    unit = " and ".join(measure.resampled)
    if paired.is_empty():
        return {"items": 0, "n": 0, "unit": unit}
    a, b = paired["value"].to_numpy(), paired["value_right"].to_numpy()
    units = [paired[name].to_list() for name in measure.resampled]
    independent = measure.resampled == ("item",) and len({*units[0]}) == len(a)
    bounded = bool((paired["low"] < paired["high"]).any() or (paired["low_right"] < paired["high_right"]).any())
    means = float(a.mean()), float(b.mean())
    if measure.strata is not None:
        stratified = [mean_of_strata(values, paired[measure.strata], units[0]) for values in (a, b, a - b)]
        interval, p = stratified[2].interval(resampling.confidence), stratified[2].p
        means = stratified[0].value, stratified[1].value
    else:
        interval, p = _difference(paired, units, resampling, independent, bounded=bounded)
    return {
        "first_mean": means[0],
        "second_mean": means[1],
        "difference": interval.value,
        "low": interval.low,
        "high": interval.high,
        "items": len(a),
        "unit": unit,
        "n": interval.n,
        "p": p,
        **_ranks(a, b, resampling, independent),
        "caution": _caution(measure, interval.n, bounded),
    }


def _difference(
    paired: pl.DataFrame, units: list[list[Any]], resampling: Resampling, independent: bool, *, bounded: bool
) -> tuple[Interval, float]:
    """The mean difference with its interval, and the p-value of "no difference"."""
    if bounded and not independent:
        raise RunError("Values that are known only within bounds can be compared only where each item is a unit.")
    a, b = paired["value"].to_numpy(), paired["value_right"].to_numpy()
    draws: dict[str, Any] = {"resamples": resampling.resamples, "seed": resampling.seed}
    if len(units) == 2:
        crossed = crossed_mean(a - b, *units, confidence=resampling.confidence)
        return crossed.interval, crossed.p
    clusters = None if independent else units[0]
    interval = paired_difference(a, b, clusters=clusters, confidence=resampling.confidence, **draws)
    if bounded:
        low, high = paired["low"] - paired["high_right"], paired["high"] - paired["low_right"]
        found = bounded_mean(low.to_numpy(), high.to_numpy(), resampling=resampling)
        return replace(interval, low=found.low, high=found.high), found.p
    return interval, sign_flip_test(a - b, clusters=clusters, **draws).p if interval.n > 1 else math.nan


def _caution(measure: PairedMeasure, n: int, bounded: bool) -> str | None:
    """Why the interval must be read with care: few units, or values that are known only within bounds."""
    few = f"only {n} {_units_text(measure)}" if n < FEW_UNITS else ""
    unknown = f"any value allowed for {measure.unknown}" if bounded else ""
    return "; ".join(part for part in (few, unknown) if part) or None


def _units_text(measure: PairedMeasure) -> str:
    """What was resampled, in the plural: "sentences", or "adverbs or adjectives" of two crossed units."""
    return measure.unit if measure.resampled == ("item",) else " or ".join(map(plural, measure.resampled))


def _ranks(a: Any, b: Any, resampling: Resampling, independent: bool) -> dict[str, float | None]:
    """Spearman's correlation of the items; its interval only where items are the units."""
    resamples = min(_RANK_RESAMPLES, resampling.resamples) if independent else 2
    ranks = correlation(np.asarray(a), np.asarray(b), resamples=resamples, seed=resampling.seed)
    low, high = (ranks.low, ranks.high) if independent else (None, None)
    return {"rank_correlation": ranks.value, "rank_low": low, "rank_high": high}
