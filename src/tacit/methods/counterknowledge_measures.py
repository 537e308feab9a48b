"""From the items' probabilities to measures with intervals, tests and corrections: the item is the sampled unit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import Settings, measure_row
from tacit.methods.counterknowledge_grammar import BASE
from tacit.methods.counterknowledge_materials import Stereotype
from tacit.methods.formulas.counterknowledge import FIRST, NEITHER, SECOND, geometric_mean, undone
from tacit.statistics import Interval, bootstrap, bootstrap_many, correlation, holm, sign_flip_test

__all__ = ["kind_table", "measure_rows", "relative_rows"]

Floats = npt.NDArray[np.float64]
_Rows = list[dict[str, object]]
NO_STEREOTYPE = "the base prompts show no stereotype that could be undone: their interval reaches 0 or below"


def measure_rows(materials: Stereotype, settings: Settings, items: pl.DataFrame) -> _Rows:
    """All measures of all reaches, the widest reach first; per-item rows last."""
    rows: _Rows = []
    for reach, found in items.group_by("reach", maintain_order=True):
        rows += _reach_rows(materials, settings, str(reach[0]), found)
    item_rows = [
        measure_row(f"{name}, {row['reach']}", row["kind"], row[name], item=row["item"], neutral=0.0)
        for name in ("stereotype", "margin")
        for row in items.iter_rows(named=True)
    ]
    return rows + item_rows


def kind_table(materials: Stereotype, rows: _Rows, items: pl.DataFrame) -> pl.DataFrame:
    """The study's figures as a table: each group's probability with its interval, by reach and kind of prompt."""
    groups = materials.grammar.groups
    probability = {f"{group} words, {reach}": (group, reach) for group in groups for reach in items["reach"].unique()}
    found = [
        (*probability[str(row["measure"])], row["group"], row["value"], row["low"], row["high"])
        for row in rows
        if row["measure"] in probability
    ]
    columns = ["group", "reach", "kind", "value", "low", "high"]
    order = items.select("kind", "short", "position").unique(maintain_order=True)
    return pl.DataFrame(found, schema=columns, orient="row").join(order, on="kind", maintain_order="left")


def relative_rows(settings: Settings, relative: pl.DataFrame, k: int) -> _Rows:
    """Equation 1 averaged (geometrically) within items, then over items, for words of either side and of neither."""
    per_item = (
        relative.group_by("kind", "side", "item", maintain_order=True)
        .agg(pl.col("ratio").log().mean().exp())
        .sort("item")
        .group_by("side", "kind", maintain_order=True)
        .agg("ratio")
        .sort("side", "kind")
    )
    return [
        measure_row(
            f"relative probability of {side} words, top {k}",
            kind,
            bootstrap(ratios, geometric_mean, **_resampling(settings)),
            neutral=1.0,
        )
        for side, kind, ratios in per_item.iter_rows()
    ]


def _reach_rows(materials: Stereotype, settings: Settings, reach: str, items: pl.DataFrame) -> _Rows:
    by_kind = {str(kind[0]): found for kind, found in items.group_by("kind", maintain_order=True)}
    base = by_kind[BASE]["stereotype"].to_numpy()
    rows = _correlation_rows(materials, settings, reach, by_kind[BASE])
    rows += _mean_rows(materials, settings, reach, by_kind, ("stereotype",))
    rows += _effect_rows(materials, settings, reach, by_kind, base)
    rows += _undone_rows(settings, reach, by_kind, base)
    rows += _mean_rows(materials, settings, reach, by_kind, ("margin", "first", "second", "pro", "anti", "neither"))
    return rows + _mean_rows(
        materials, settings, reach, by_kind, ("prefers first", "prefers second", "prefers neither")
    )


def _mean_rows(
    materials: Stereotype, settings: Settings, reach: str, by_kind: dict[str, pl.DataFrame], names: tuple[str, ...]
) -> _Rows:
    values = {
        (name, kind): found
        for name in names
        for kind, items in by_kind.items()
        if (found := _values(items, name)) is not None
    }
    if not values:
        return []
    intervals = bootstrap_many(np.column_stack(list(values.values())), **_resampling(settings))
    return [
        measure_row(f"{_named(materials, name)}, {reach}", kind, interval, neutral=_neutral(name))
        for (name, kind), interval in zip(values, intervals, strict=True)
    ]


def _values(items: pl.DataFrame, name: str) -> Floats | None:
    if name.startswith("prefers "):
        sign = {"first": FIRST, "second": SECOND, "neither": NEITHER}[name.removeprefix("prefers ")]
        return (items["prefers"] == sign).cast(pl.Float64).to_numpy()
    column = items["neither_share" if name == "neither" else name]
    return None if column.null_count() else column.to_numpy()


def _named(materials: Stereotype, name: str) -> str:
    grammar = materials.grammar
    words = {
        "first": f"{grammar.first} words",
        "second": f"{grammar.second} words",
        "pro": "pro-stereotypical words",
        "anti": "anti-stereotypical words",
        "neither": "share of words that are neither",
        "prefers first": f"share of {grammar.many} preferring {grammar.first}",
        "prefers second": f"share of {grammar.many} preferring {grammar.second}",
        "prefers neither": f"share of {grammar.many} preferring neither",
    }
    return words.get(name, name)


def _neutral(name: str) -> float | None:
    return 0.0 if name in ("stereotype", "margin") else None


def _effect_rows(
    materials: Stereotype, settings: Settings, reach: str, by_kind: dict[str, pl.DataFrame], base: Floats
) -> _Rows:
    kinds = materials.grammar.kinds
    effects = np.column_stack([by_kind[kind.name]["stereotype"].to_numpy() - base for kind in kinds])
    intervals = bootstrap_many(effects, **_resampling(settings))
    p = [
        sign_flip_test(effect, resamples=settings.resamples, seed=settings.seed).p if np.any(effect) else 1.0
        for effect in effects.T
    ]
    found = zip(kinds, intervals, p, holm(p), strict=True)
    return [
        measure_row(
            f"effect on the stereotype, {reach}",
            kind.name,
            interval,
            neutral=0.0,
            p=one,
            p_adjusted=float(adjusted),
            note=f"expected: {kind.expected}",
        )
        for kind, interval, one, adjusted in found
    ]


def _undone_rows(settings: Settings, reach: str, by_kind: dict[str, pl.DataFrame], base: Floats) -> _Rows:
    measure = f"share of the stereotype undone, {reach}"
    kinds = [kind for kind in by_kind if kind != BASE]
    low = _interval(base, settings).low
    if not low > 0:
        return [measure_row(measure, kind, None, neutral=0.0, n=base.size, note=NO_STEREOTYPE) for kind in kinds]
    pairs = {kind: np.column_stack([base, by_kind[kind]["stereotype"].to_numpy()]) for kind in kinds}
    return [
        measure_row(measure, kind, bootstrap(pair, undone, **_resampling(settings)), neutral=0.0)
        for kind, pair in pairs.items()
    ]


def _correlation_rows(materials: Stereotype, settings: Settings, reach: str, base: pl.DataFrame) -> _Rows:
    known = base.drop_nulls(["share", "first_share"])
    if not materials.grammar.statistic or base["share"].null_count() == base.height:
        return []
    measure = f"correlation with the {materials.grammar.statistic}, {reach}"
    if known.height < 3 or known["first_share"].n_unique() == 1:
        problem = f"the model tells hardly any {materials.grammar.many} apart by group"
        return [measure_row(measure, BASE, None, neutral=0.0, n=known.height, note=problem)]
    found = correlation(known["share"].to_numpy(), known["first_share"].to_numpy(), **_resampling(settings))
    left_out = base.height - known.height
    note = f"{left_out} {materials.grammar.many} left out: no word of either group" if left_out else None
    return [measure_row(measure, BASE, found, neutral=0.0, p=found.p, note=note)]


def _interval(values: Floats, settings: Settings) -> Interval:
    return bootstrap(values, **_resampling(settings))


def _resampling(settings: Settings) -> dict[str, Any]:
    return {"resamples": settings.resamples, "confidence": settings.confidence, "seed": settings.seed}
