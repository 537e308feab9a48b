"""Answers to measures with intervals, tests and corrections; the item is the unit that is resampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, PairedMeasure, Settings, Tables, measure_row, measures_table
from tacit.methods.counterknowledge.formulas import FIRST, NEITHER, SECOND, geometric_mean, undone_share
from tacit.methods.counterknowledge.grammar import BASE, Grammar
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.methods.counterknowledge.tables import (
    ALL_WORDS,
    item_table,
    names_table,
    relative_table,
    vocabulary_table,
    word_table,
)
from tacit.statistics import bootstrap, bootstrap_many, correlation, holm, sign_flip_test

__all__ = ["compute_measures", "paired_measures"]

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-12
NO_STEREOTYPE = "the base prompts show no stereotype that could be undone: their interval reaches 0 or below"


class _Resampling(TypedDict):
    resamples: int
    confidence: float
    seed: int


@dataclass(frozen=True)
class _Reach:
    """The items seen at one reach (top k, or all words).

    Attributes:
        name: The reach as the tables name it: "top 3".
        grammar: The names of groups, items and kinds.
        resampling: How intervals are computed.
        by_kind: The rows of the item table, by kind of prompt.
    """

    name: str
    grammar: Grammar
    resampling: _Resampling
    by_kind: dict[str, pl.DataFrame]

    @property
    def base(self) -> pl.DataFrame:
        return self.by_kind[BASE]


def compute_measures(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> Tables:
    """Probabilities per item, then means, paired effects and correlations over items."""
    answers = answers.sort("question", "part")
    items = item_table(materials, settings, answers)
    relative = relative_table(materials, answers)
    rows = _all_reach_rows(materials.grammar, settings, items)
    every_row = rows + _item_rows(items) + _relative_rows(settings, relative)
    return {
        "measures": measures_table(every_row),
        "items": items,
        "kinds": _kind_table(materials.grammar, rows, items),
        "relative": relative,
        "words": word_table(materials, answers),
        "vocabulary": vocabulary_table(materials, answers),
        "names": names_table(materials),
    }


def paired_measures(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings
) -> tuple[PairedMeasure, ...]:
    """The measures that two models are compared by: stereotype and margin at the widest reach, kind by kind."""
    reach = f"top {max(settings.tops)}" if settings.whole == "off" else ALL_WORDS
    grammar = materials.grammar
    return (
        PairedMeasure(f"stereotype, {reach}", "is less stereotypical", "is more stereotypical", grammar.plural),
        PairedMeasure(
            f"margin, {reach}", f"leans more to {grammar.second}", f"leans more to {grammar.first}", grammar.plural
        ),
    )


def _all_reach_rows(grammar: Grammar, settings: Settings, items: pl.DataFrame) -> list[MeasureRow]:
    rows: list[MeasureRow] = []
    for (name,), items_of_reach in items.group_by("reach", maintain_order=True):
        by_kind = {str(kind): table for (kind,), table in items_of_reach.group_by("kind", maintain_order=True)}
        rows += _reach_rows(_Reach(str(name), grammar, _resampling(settings), by_kind))
    return rows


def _reach_rows(reach: _Reach) -> list[MeasureRow]:
    return [
        *_correlation_rows(reach),
        *_mean_rows(reach, ("stereotype",)),
        *_effect_rows(reach, "stereotype", "stereotype"),
        *_effect_rows(reach, "pro_share", "pro-stereotypical share"),
        *_undone_rows(reach),
        *_mean_rows(reach, ("margin", "first", "second", "pro", "anti", "neither_share", "pro_share")),
        *_mean_rows(reach, ("prefers first", "prefers second", "prefers neither")),
    ]


def _item_rows(items: pl.DataFrame) -> list[MeasureRow]:
    return [
        measure_row(f"{name}, {row['reach']}", row["kind"], row[name], item=row["item"], neutral=0.0)
        for name in ("stereotype", "margin")
        for row in items.iter_rows(named=True)
    ]


def _relative_rows(settings: CounterknowledgeSettings, relative: pl.DataFrame) -> list[MeasureRow]:
    """Equation 1, averaged geometrically within items and then over items, for each side of the stereotype."""
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
            f"relative probability of {side} words, top {max(settings.tops)}",
            kind,
            bootstrap(ratios, geometric_mean, **_resampling(settings)),
            neutral=1.0,
        )
        for side, kind, ratios in per_item.iter_rows()
    ]


def _kind_table(grammar: Grammar, rows: list[MeasureRow], items: pl.DataFrame) -> pl.DataFrame:
    """The paper's figures as a table: the probability of each group with its interval, by reach and kind of prompt."""
    reaches = items["reach"].unique()
    probability = {f"{group} words, {reach}": (group, reach) for group in grammar.groups for reach in reaches}
    cells = [
        (*probability[str(row["measure"])], row["group"], row["value"], row["low"], row["high"])
        for row in rows
        if row["measure"] in probability
    ]
    columns = ["group", "reach", "kind", "value", "low", "high"]
    order = items.select("kind", "short", "position").unique(maintain_order=True)
    return pl.DataFrame(cells, schema=columns, orient="row").join(order, on="kind", maintain_order="left")


def _mean_rows(reach: _Reach, names: tuple[str, ...]) -> list[MeasureRow]:
    values = {(name, kind): _defined_values(items, name) for name in names for kind, items in reach.by_kind.items()}
    complete = {key: column for key, column in values.items() if column.size == reach.base.height}
    matrix = np.column_stack([*complete.values()])
    intervals = dict(zip(complete, bootstrap_many(matrix, **reach.resampling), strict=True))
    partial = {key: column for key, column in values.items() if 0 < column.size < reach.base.height}
    intervals |= {key: bootstrap(column, **reach.resampling) for key, column in partial.items()}
    return [
        measure_row(
            f"{_measure_name(reach.grammar, name)}, {reach.name}",
            kind,
            intervals[name, kind],
            neutral=_neutral_value(name),
        )
        for name, kind in values
        if (name, kind) in intervals
    ]


def _defined_values(items: pl.DataFrame, name: str) -> Floats:
    """The values of the items for which a measure is defined; n shows how many those are."""
    if name.startswith("prefers "):
        sign = {"first": FIRST, "second": SECOND, "neither": NEITHER}[name.removeprefix("prefers ")]
        return (items["prefers"] == sign).cast(pl.Float64).to_numpy()
    return items[name].drop_nulls().to_numpy()


def _measure_name(grammar: Grammar, name: str) -> str:
    names = {
        "first": f"{grammar.first} words",
        "second": f"{grammar.second} words",
        "pro": "pro-stereotypical words",
        "anti": "anti-stereotypical words",
        "pro_share": "pro-stereotypical share",
        "neither_share": "share of words that are neither",
        "prefers first": f"share of {grammar.plural} preferring {grammar.first}",
        "prefers second": f"share of {grammar.plural} preferring {grammar.second}",
        "prefers neither": f"share of {grammar.plural} preferring neither",
    }
    return names.get(name, name)


def _neutral_value(name: str) -> float | None:
    return {"stereotype": 0.0, "margin": 0.0, "pro_share": 0.5}.get(name)


def _effect_rows(reach: _Reach, column: str, name: str) -> list[MeasureRow]:
    """Each kind minus base, paired by item; p-values corrected over the kinds (Holm)."""
    kinds = reach.grammar.kinds
    effects = [_effect(reach, kind.name, column) for kind in kinds]
    p_values = [_sign_flip_p(effect, reach.resampling) for effect in effects]
    return [
        measure_row(
            f"effect on the {name}, {reach.name}",
            kind.name,
            bootstrap(effect, **reach.resampling) if effect.size else None,
            neutral=0.0,
            p=p if effect.size else None,
            p_adjusted=float(adjusted) if effect.size else None,
            note=f"expected: {kind.expected}",
        )
        for kind, effect, p, adjusted in zip(kinds, effects, p_values, holm(p_values), strict=True)
    ]


def _effect(reach: _Reach, kind: str, column: str) -> Floats:
    difference = (reach.by_kind[kind][column] - reach.base[column]).drop_nulls().to_numpy()
    # The mean over equal backgrounds is rounded; a sign test would read that noise as a perfectly consistent effect.
    return np.where(np.abs(difference) < ROUNDING, 0.0, difference)


def _sign_flip_p(effect: Floats, resampling: _Resampling) -> float:
    if effect.size == 0:
        return float("nan")
    return sign_flip_test(effect, resamples=resampling["resamples"], seed=resampling["seed"]).p


def _undone_rows(reach: _Reach) -> list[MeasureRow]:
    measure = f"share of the stereotype undone, {reach.name}"
    base = reach.base["stereotype"].to_numpy()
    kinds = [kind for kind in reach.by_kind if kind != BASE]
    if not bootstrap(base, **reach.resampling).low > 0:
        return [measure_row(measure, kind, None, neutral=0.0, n=base.size, note=NO_STEREOTYPE) for kind in kinds]
    pairs = {kind: np.column_stack([base, reach.by_kind[kind]["stereotype"].to_numpy()]) for kind in kinds}
    return [
        measure_row(measure, kind, bootstrap(pair, undone_share, **reach.resampling), neutral=0.0)
        for kind, pair in pairs.items()
    ]


def _correlation_rows(reach: _Reach) -> list[MeasureRow]:
    grammar, base = reach.grammar, reach.base
    known = base.drop_nulls(["share", "first_share"])
    if not grammar.statistic or base["share"].null_count() == base.height:
        return []
    measure = f"correlation with the {grammar.statistic}, {reach.name}"
    if known.height < 3 or known["first_share"].n_unique() == 1:
        problem = f"the model tells hardly any {grammar.plural} apart by group"
        return [measure_row(measure, BASE, None, neutral=0.0, n=known.height, note=problem)]
    spearman = correlation(known["share"].to_numpy(), known["first_share"].to_numpy(), **reach.resampling)
    left_out = base.height - known.height
    note = f"{left_out} {grammar.plural} left out: no word of either group" if left_out else None
    return [measure_row(measure, BASE, spearman, neutral=0.0, p=spearman.p, note=note)]


def _resampling(settings: Settings) -> _Resampling:
    return {"resamples": settings.resamples, "confidence": settings.confidence, "seed": settings.seed}
