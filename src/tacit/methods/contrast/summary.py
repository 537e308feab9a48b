"""The result of a contrast run in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.contrast.materials import WITH
from tacit.methods.contrast.means import ALL_ITEMS

__all__ = ["summarize"]

_Row = dict[str, Any]
_Rows = Mapping[tuple[str, str], _Row]
"""The rows of the measures table by measure and group."""


def summarize(tables: Tables, model: str) -> list[str]:
    """How often the word wins, what context adds, which words do best and worst, and what explains it."""
    rows = {
        (row["measure"], row["group"]): row
        for row in tables["measures"].filter(pl.col("item").is_null()).iter_rows(named=True)
    }
    about = tables["about"].row(0, named=True)
    return [
        *_accuracy_sentences(rows, about, model),
        *_word_sentences(tables["words"], about),
        *_explanation_sentences(rows),
        *_count_sentences(tables["items"], about),
    ]


def _accuracy_sentences(rows: _Rows, about: _Row, model: str) -> Iterator[str]:
    accuracy = rows.get(("acc", ALL_ITEMS.name))
    if accuracy is None or accuracy["value"] is None:
        yield f"None of the items asked of {model} has a winner."
        return
    ranks_above = ("choose", "over") if about["people"] else ("ranks", "above")
    yield (
        f"{model} {ranks_above[0]} the {about['noun']} {ranks_above[1]} {about['against']} in {accuracy['value']:.1%} "
        f"of {accuracy['n']:,} items{_bounds(accuracy, percent=True)} (50% = no preference)."
    )
    gain = rows.get(("acc gain from context", ALL_ITEMS.name))
    if gain is not None and gain["value"] is not None:
        points = abs(gain["value"]) * 100
        verb = "adds" if gain["value"] >= 0 else "removes"
        yield f"Context {verb} {points:.1f} percentage points of accuracy{_bounds(gain, percent=True)}."


def _word_sentences(words: pl.DataFrame, about: _Row) -> Iterator[str]:
    ranked = words.filter((pl.col("context") == WITH) & pl.col("acc").is_not_null()).sort(
        ["acc", "word"], descending=[True, False]
    )
    if ranked.height > 5 and ranked["acc"][0] > ranked["acc"][-1]:
        best, worst = (
            ", ".join(f"{row['word']} {row['acc']:.0%}" for row in part.iter_rows(named=True))
            for part in (ranked.head(3), ranked.tail(3))
        )
        yield f"The {about['noun']}s with the highest accuracy are {best}; those with the lowest, {worst}."


def _explanation_sentences(rows: _Rows) -> Iterator[str]:
    for predictor, control in (("intensity", "frequency"), ("frequency", "intensity")):
        rho = rows.get((f"acc ~ {predictor}", ALL_ITEMS.name))
        beta = rows.get((f"acc ~ {predictor} beyond {control}", ALL_ITEMS.name))
        if rho is None:
            continue
        numbers = f"rho = {rho['value']:.2f}{_bounds(rho)}, corrected p = {rho['p_adjusted']:.3f}"
        if beta is not None:
            numbers += f"; controlling for {control}, beta = {beta['value']:.2f}{_bounds(beta)}"
        if rho["p_adjusted"] >= 0.05:
            yield f"No relation between accuracy and {predictor} can be shown ({numbers})."
        else:
            yield f"Accuracy {'rises' if rho['value'] > 0 else 'falls'} with {predictor} ({numbers})."


def _count_sentences(items: pl.DataFrame, about: _Row) -> Iterator[str]:
    counted = items.filter(pl.col("context") == WITH)
    ties, several, missing = (int(counted[name].sum()) for name in ("tie", "several", "missing"))
    if ties:
        treatment = "count as wrong" if about["ties_are_wrong"] else "are left out of accuracy"
        yield f"{ties} items are ties, which {treatment}."
    if several:
        yield (
            f"{several} items have a word of several tokens, ranked by its joint probability among all single tokens."
        )
    if missing:
        yield f"{missing} items have a word that the model cannot represent, and are left out."


def _bounds(row: _Row, *, percent: bool = False) -> str:
    if row["low"] is None:
        return ""
    return f" [{row['low']:.1%}, {row['high']:.1%}]" if percent else f" [{row['low']:.2f}, {row['high']:.2f}]"
