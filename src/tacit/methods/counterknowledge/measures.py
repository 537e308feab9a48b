"""Answers to measures with intervals, tests and corrections; items, and backgrounds where named, are the units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, PairedMeasure, Tables, measure_row, measures_table
from tacit.methods.counterknowledge.effects import effect_rows, named_group_rows, undone_rows
from tacit.methods.counterknowledge.estimates import Sample, mean_row, samples_by_kind
from tacit.methods.counterknowledge.formulas import FIRST, NEITHER, SECOND
from tacit.methods.counterknowledge.grammar import BASE, CONTROL, Grammar
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.prompts import TOLD_APART, control_table, log_ratios, prompt_table, widest_reach
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.methods.counterknowledge.tables import (
    item_table,
    kind_table,
    names_table,
    relative_table,
    vocabulary_table,
    word_table,
)
from tacit.methods.counterknowledge.verbalizers import verbalizer_table
from tacit.methods.counterknowledge.verdicts import LEAST_EFFECT, PRO_SHARE, correlation_verdict, lean_verdict
from tacit.statistics import correlation, share_interval, spearman_interval

__all__ = ["compute_measures", "paired_measures"]

_MEANS = ("first_share", "stereotype", "margin", "first", "second", "pro", "anti", "neither_share")
_NEUTRAL = {"pro_share": 0.5, "first_share": 0.5, "stereotype": 0.0, "margin": 0.0}
_DIFFERENCES = ("stereotype", "margin")
_SIDES = {"first": FIRST, "second": SECOND, "neither": NEITHER}


@dataclass(frozen=True)
class _Reach:
    """The prompts at one reach (top k, or all words).

    Attributes:
        name: The reach as the tables name it: "top 3".
        grammar: The names of groups, items and kinds.
        settings: How intervals are computed.
        samples: The prompts, by kind.
        base: The rows of the item table that are about base prompts.
        tested: Whether this is the widest reach; the others describe, and only it is tested.
    """

    name: str
    grammar: Grammar
    settings: CounterknowledgeSettings
    samples: dict[str, Sample]
    base: pl.DataFrame
    tested: bool


def compute_measures(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> Tables:
    """Probabilities per prompt, then means, paired effects and correlations over items."""
    answers = answers.sort("question", "part")
    is_control = pl.col("kind") == CONTROL
    controls, answers = control_table(materials, settings, answers.filter(is_control)), answers.filter(~is_control)
    prompts = prompt_table(materials, settings, answers)
    items = item_table(materials, prompts)
    relative = relative_table(materials, answers)
    rows = [row for reach in _reaches(materials, settings, prompts, items) for row in _reach_rows(reach)]
    every_row = [*_control_rows(settings, controls), *rows, *_item_rows(materials.grammar, items)]
    beside = {} if materials.beside is None else {"verbalizers": verbalizer_table(materials, settings, answers)}
    return {
        "measures": measures_table(every_row + _relative_rows(materials, settings, relative)),
        "items": items,
        "units": items.select("item", "dominant", group="kind").unique(maintain_order=True),
        "kinds": kind_table(materials.grammar, rows, items),
        "relative": relative,
        "controls": controls,
        "words": word_table(materials, answers),
        "vocabulary": vocabulary_table(materials, answers),
        "names": names_table(materials),
        **beside,
    }


def paired_measures(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings
) -> tuple[PairedMeasure, ...]:
    """The measures that two models are compared by: both shares of the base prompts, at the widest reach."""
    reach, grammar = widest_reach(settings), materials.grammar
    unit = f"{grammar.plural}, base prompts"
    lower, higher = f"leans more to {grammar.second}", f"leans more to {grammar.first}"
    less, more = "is less stereotypical", "is more stereotypical"
    return (
        PairedMeasure(f"{PRO_SHARE}, {reach}", less, more, unit, only=BASE, strata="dominant"),
        PairedMeasure(f"{grammar.first} share, {reach}", lower, higher, unit, only=BASE, strata="dominant"),
    )


def _reaches(
    materials: CounterknowledgeMaterials,
    settings: CounterknowledgeSettings,
    prompts: pl.DataFrame,
    items: pl.DataFrame,
) -> list[_Reach]:
    """The reaches, the widest first."""
    return [
        _Reach(
            name,
            materials.grammar,
            settings,
            samples_by_kind(materials, prompts.filter(pl.col("reach") == name)),
            items.filter(pl.col("reach") == name, pl.col("kind") == BASE),
            tested=name == widest_reach(settings),
        )
        for name in items["reach"].unique(maintain_order=True)
    ]


def _reach_rows(reach: _Reach) -> list[MeasureRow]:
    common = (reach.grammar, reach.samples, reach.name, reach.settings.confidence)
    return [
        *_correlation_rows(reach),
        *_mean_rows(reach, "pro_share"),
        *effect_rows(*common, tested=reach.tested),
        *undone_rows(*common[1:]),
        *(named_group_rows(*common) if reach.tested else []),
        *(row for name in _MEANS for row in _mean_rows(reach, name)),
        *(row for side in _SIDES for row in _preference_rows(reach, side)),
    ]


def _mean_rows(reach: _Reach, name: str) -> list[MeasureRow]:
    measure = f"{_measure_name(reach.grammar, name)}, {reach.name}"
    options: dict[str, Any] = {"confidence": reach.settings.confidence, "neutral": _NEUTRAL.get(name)}
    if name not in _DIFFERENCES:
        options |= {"shown": _within_bounds, "skewed": name not in _NEUTRAL}
    rows = []
    for kind, sample in reach.samples.items():
        values = sample.columns[name]
        if name == "neither_share" and np.isnan(values).all():
            continue  # With `whole=all` the rest of the probability is not known.
        tested = _leaning(sample) if reach.tested and (name, kind) == ("pro_share", BASE) else {}
        rows.append(mean_row(measure, kind, sample, values, **options, **tested))
    return rows


def _within_bounds(probability: float) -> float:
    return min(max(probability, 0.0), 1.0)


def _leaning(base: Sample) -> dict[str, Any]:
    lean = base.mean(base.columns["pro_share"] - _NEUTRAL["pro_share"])
    if lean is None or math.isnan(lean.error):
        return {}
    return {"p": lean.p, "verdict": lean_verdict(lean.value, lean.p)}


def _preference_rows(reach: _Reach, side: str) -> list[MeasureRow]:
    """The share of items that prefer a side. Backgrounds are averaged within an item, so they are not sampled here."""
    grammar = reach.grammar
    measure = f"share of {grammar.plural} preferring {getattr(grammar, side, side)}, {reach.name}"
    rows = []
    for kind, sample in reach.samples.items():
        prefers = np.sign(sample.by_item(sample.columns["margin"])) == _SIDES[side]
        interval = share_interval(prefers, confidence=reach.settings.confidence)
        fixed = None if sample.backgrounds is None else "for these backgrounds only"
        rows.append(measure_row(measure, kind, interval, unit=grammar.singular, caution=fixed))
    return rows


def _measure_name(grammar: Grammar, name: str) -> str:
    names = {
        "first": f"{grammar.first} words",
        "second": f"{grammar.second} words",
        "pro": "pro-stereotypical words",
        "anti": "anti-stereotypical words",
        "pro_share": PRO_SHARE,
        "first_share": f"{grammar.first} share",
        "neither_share": "share of words that are neither",
    }
    return names.get(name, name)


def _correlation_rows(reach: _Reach) -> list[MeasureRow]:
    grammar, base = reach.grammar, reach.base
    known = base.drop_nulls(["share", "first_share"])
    if not grammar.statistic or base["share"].null_count() == base.height:
        return []
    measure, unit = f"correlation with the {grammar.statistic}, {reach.name}", grammar.singular
    if known.height < 3 or known["first_share"].n_unique() == 1:
        problem = f"the model tells hardly any {grammar.plural} apart by group"
        return [measure_row(measure, BASE, None, neutral=0.0, n=known.height, unit=unit, note=problem)]
    drawn, shares = reach.settings.resampling, known["share"].to_numpy()
    spearman = correlation(shares, known["first_share"].to_numpy(), resamples=drawn.resamples, seed=drawn.seed)
    interval = spearman_interval(spearman.value, known.height, drawn.confidence)
    left_out = base.height - known.height
    note = f"{left_out} {grammar.plural} left out: no word of either group" if left_out else None
    tested: dict[str, Any] = {}
    if reach.tested:
        tested = {"p": spearman.p, "verdict": correlation_verdict(spearman.value, spearman.p)}
    return [measure_row(measure, BASE, interval, neutral=0.0, unit=unit, note=note, **tested)]


def _item_rows(grammar: Grammar, items: pl.DataFrame) -> list[MeasureRow]:
    names = {name: _measure_name(grammar, name) for name in _NEUTRAL}
    return [
        measure_row(f"{measure}, {row['reach']}", row["kind"], row[name], item=row["item"], neutral=_NEUTRAL[name])
        for name, measure in names.items()
        for row in items.iter_rows(named=True)
    ]


def _relative_rows(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, relative: pl.DataFrame
) -> list[MeasureRow]:
    """Equation 1 over the words that both prompts have among their k likeliest, for each k, the largest first."""
    return [
        row
        for k in sorted(settings.tops, reverse=True)
        for row in _relative_rows_within(materials, settings, relative.filter(pl.col("within") <= k), k)
    ]


def _relative_rows_within(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, relative: pl.DataFrame, k: int
) -> list[MeasureRow]:
    """Equation 1, averaged geometrically within items and then over items, for each side of the stereotype."""
    dominant = {item.name: item.group for item in materials.items}
    prompts = log_ratios(relative).with_columns(
        dominant=pl.col("item").replace_strict(dominant, return_dtype=pl.String)
    )
    rows = []
    for (side,), words in prompts.sort("side", "kind", "item").group_by("side", maintain_order=True):
        measure = f"relative probability of {side} words, top {k}"
        for kind, sample in samples_by_kind(materials, words).items():
            values, confidence = sample.columns["log_ratio"], settings.confidence
            rows.append(mean_row(measure, kind, sample, values, confidence=confidence, shown=math.exp, neutral=1.0))
    return rows


def _control_rows(settings: CounterknowledgeSettings, controls: pl.DataFrame) -> list[MeasureRow]:
    if controls.is_empty():
        return []
    apart = (controls["first_share"] - controls["second_share"] >= LEAST_EFFECT).fill_null(False).to_numpy()
    interval = share_interval(apart, confidence=settings.confidence)
    return [measure_row(TOLD_APART, CONTROL, interval, neutral=0.5, unit="pair")]
