"""From the items' probabilities to measures with intervals, tests and corrections: the item is the sampled unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.counterknowledge.formulas import FIRST, NEITHER, SECOND, geometric_mean, undone
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.materials import Stereotype
from tacit.statistics import bootstrap, bootstrap_many, correlation, holm, sign_flip_test

__all__ = ["kind_table", "measure_rows", "relative_rows"]

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-12
NO_STEREOTYPE = "the base prompts show no stereotype that could be undone: their interval reaches 0 or below"


@dataclass(frozen=True)
class _Look:
    """The items by kind of prompt at one reach, with what is needed to measure them."""

    materials: Stereotype
    settings: Settings
    reach: str
    by_kind: dict[str, pl.DataFrame]

    def resampling(self) -> dict[str, Any]:
        return _resampling(self.settings)


def measure_rows(materials: Stereotype, settings: Settings, items: pl.DataFrame) -> list[MeasureRow]:
    """All measures of all reaches, the widest reach first; per-item rows last."""
    rows: list[MeasureRow] = []
    for reach, found in items.group_by("reach", maintain_order=True):
        by_kind = {str(kind[0]): rows_of for kind, rows_of in found.group_by("kind", maintain_order=True)}
        rows += _reach_rows(_Look(materials, settings, str(reach[0]), by_kind))
    item_rows = [
        measure_row(f"{name}, {row['reach']}", row["kind"], row[name], item=row["item"], neutral=0.0)
        for name in ("stereotype", "margin")
        for row in items.iter_rows(named=True)
    ]
    return rows + item_rows


def kind_table(materials: Stereotype, rows: list[MeasureRow], items: pl.DataFrame) -> pl.DataFrame:
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


def relative_rows(settings: Settings, relative: pl.DataFrame, k: int) -> list[MeasureRow]:
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


def _reach_rows(look: _Look) -> list[MeasureRow]:
    return [
        *_correlation_rows(look),
        *_mean_rows(look, ("stereotype",)),
        *_effect_rows(look, "stereotype", "stereotype"),
        *_effect_rows(look, "pro_share", "pro-stereotypical share"),
        *_undone_rows(look),
        *_mean_rows(look, ("margin", "first", "second", "pro", "anti", "neither_share", "pro_share")),
        *_mean_rows(look, ("prefers first", "prefers second", "prefers neither")),
    ]


def _mean_rows(look: _Look, names: tuple[str, ...]) -> list[MeasureRow]:
    values = {(name, kind): _values(items, name) for name in names for kind, items in look.by_kind.items()}
    whole = {key: found for key, found in values.items() if found.size == look.by_kind[BASE].height}
    intervals = dict(zip(whole, bootstrap_many(np.column_stack([*whole.values()]), **look.resampling()), strict=True))
    some = {key: found for key, found in values.items() if 0 < found.size < look.by_kind[BASE].height}
    intervals |= {key: bootstrap(found, **look.resampling()) for key, found in some.items()}
    return [
        measure_row(
            f"{_named(look.materials, name)}, {look.reach}", kind, intervals[name, kind], neutral=_neutral(name)
        )
        for name, kind in values
        if (name, kind) in intervals
    ]


def _values(items: pl.DataFrame, name: str) -> Floats:
    """The items' values; those for which it is undefined are left out, which shows in n."""
    if name.startswith("prefers "):
        sign = {"first": FIRST, "second": SECOND, "neither": NEITHER}[name.removeprefix("prefers ")]
        return (items["prefers"] == sign).cast(pl.Float64).to_numpy()
    return items[name].drop_nulls().to_numpy()


def _named(materials: Stereotype, name: str) -> str:
    grammar = materials.grammar
    words = {
        "first": f"{grammar.first} words",
        "second": f"{grammar.second} words",
        "pro": "pro-stereotypical words",
        "anti": "anti-stereotypical words",
        "pro_share": "pro-stereotypical share",
        "neither_share": "share of words that are neither",
        "prefers first": f"share of {grammar.many} preferring {grammar.first}",
        "prefers second": f"share of {grammar.many} preferring {grammar.second}",
        "prefers neither": f"share of {grammar.many} preferring neither",
    }
    return words.get(name, name)


def _neutral(name: str) -> float | None:
    return {"stereotype": 0.0, "margin": 0.0, "pro_share": 0.5}.get(name)


def _effect_rows(look: _Look, column: str, name: str) -> list[MeasureRow]:
    """Each kind against base, item by item; Holm over the kinds."""
    kinds = look.materials.grammar.kinds
    effects = [_paired(look, kind.name, column) for kind in kinds]
    p = [_sign_flip_p(effect, look.settings) for effect in effects]
    return [
        measure_row(
            f"effect on the {name}, {look.reach}",
            kind.name,
            bootstrap(effect, **look.resampling()) if effect.size else None,
            neutral=0.0,
            p=one if effect.size else None,
            p_adjusted=float(adjusted) if effect.size else None,
            note=f"expected: {kind.expected}",
        )
        for kind, effect, one, adjusted in zip(kinds, effects, p, holm(p), strict=True)
    ]


def _paired(look: _Look, kind: str, column: str) -> Floats:
    difference = (look.by_kind[kind][column] - look.by_kind[BASE][column]).drop_nulls().to_numpy()
    # The mean over equal backgrounds is rounded; a sign test would take that dust for a perfectly consistent effect.
    return np.where(np.abs(difference) < ROUNDING, 0.0, difference)


def _sign_flip_p(effect: Floats, settings: Settings) -> float:
    if effect.size == 0:
        return float("nan")
    return sign_flip_test(effect, resamples=settings.resamples, seed=settings.seed).p


def _undone_rows(look: _Look) -> list[MeasureRow]:
    measure = f"share of the stereotype undone, {look.reach}"
    base = look.by_kind[BASE]["stereotype"].to_numpy()
    kinds = [kind for kind in look.by_kind if kind != BASE]
    if not bootstrap(base, **look.resampling()).low > 0:
        return [measure_row(measure, kind, None, neutral=0.0, n=base.size, note=NO_STEREOTYPE) for kind in kinds]
    pairs = {kind: np.column_stack([base, look.by_kind[kind]["stereotype"].to_numpy()]) for kind in kinds}
    return [
        measure_row(measure, kind, bootstrap(pair, undone, **look.resampling()), neutral=0.0)
        for kind, pair in pairs.items()
    ]


def _correlation_rows(look: _Look) -> list[MeasureRow]:
    grammar, base = look.materials.grammar, look.by_kind[BASE]
    known = base.drop_nulls(["share", "first_share"])
    if not grammar.statistic or base["share"].null_count() == base.height:
        return []
    measure = f"correlation with the {grammar.statistic}, {look.reach}"
    if known.height < 3 or known["first_share"].n_unique() == 1:
        problem = f"the model tells hardly any {grammar.many} apart by group"
        return [measure_row(measure, BASE, None, neutral=0.0, n=known.height, note=problem)]
    found = correlation(known["share"].to_numpy(), known["first_share"].to_numpy(), **look.resampling())
    left_out = base.height - known.height
    note = f"{left_out} {grammar.many} left out: no word of either group" if left_out else None
    return [measure_row(measure, BASE, found, neutral=0.0, p=found.p, note=note)]


def _resampling(settings: Settings) -> dict[str, Any]:
    return {"resamples": settings.resamples, "confidence": settings.confidence, "seed": settings.seed}
