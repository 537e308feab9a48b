"""The result of a contrast in a few plain sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.contrast.items import WITH
from tacit.methods.contrast.measures import ALL

__all__ = ["told"]


def told(tables: Tables, model: str) -> list[str]:
    """How often the word wins, what context adds, which words do best and worst, and what explains it."""
    found = {
        (row["measure"], row["group"]): row
        for row in tables["measures"].filter(pl.col("item").is_null()).iter_rows(named=True)
    }
    about = tables["about"].row(0, named=True)
    return [*_overall(found, about, model), *_words(tables["words"], about), *_explained(found), *_counts(tables)]


def _overall(found: dict[tuple[str, str], Any], about: dict[str, Any], model: str) -> Iterator[str]:
    acc = found.get(("acc", ALL))
    if acc is None or acc["value"] is None:
        yield f"{model} was asked no contrast that can be decided."
        return
    does = "choose" if about["people"] else "ranks"
    over = "over" if about["people"] else "above"
    yield (
        f"{model} {does} the {about['noun']} {over} {about['against']} in {acc['value']:.1%} of {acc['n']:,} items"
        f"{_bounds(acc, percent=True)}; 50% would be neither way."
    )
    gain = found.get(("acc gain from context", ALL))
    if gain is not None and gain["value"] is not None:
        verb = "adds" if gain["value"] >= 0 else "takes away"
        yield f"Context {verb} {abs(gain['value']) * 100:.1f} points of accuracy{_bounds(gain, percent=True)}."


def _words(words: pl.DataFrame, about: dict[str, Any]) -> Iterator[str]:
    ranked = words.filter((pl.col("context") == WITH) & pl.col("acc").is_not_null()).sort(
        ["acc", "word"], descending=[True, False]
    )
    if ranked.height > 5 and ranked["acc"][0] > ranked["acc"][-1]:
        best = ", ".join(f"{row['word']} {row['acc']:.0%}" for row in ranked.head(3).iter_rows(named=True))
        worst = ", ".join(f"{row['word']} {row['acc']:.0%}" for row in ranked.tail(3).iter_rows(named=True))
        yield f"The {about['noun']}s told apart best are {best}; worst {worst}."


def _explained(found: dict[tuple[str, str], Any]) -> Iterator[str]:
    for what, other in (("intensity", "frequency"), ("frequency", "intensity")):
        rho, beta = found.get((f"acc ~ {what}", ALL)), found.get((f"acc ~ {what} beyond {other}", ALL))
        if rho is None:
            continue
        sure = rho["p_adjusted"] < 0.05
        does = ("rises with" if rho["value"] > 0 else "falls with") if sure else "cannot be told to follow"
        beyond = f"; beyond {other}, beta = {beta['value']:.2f}{_bounds(beta)}" if beta is not None else ""
        numbers = f"rho = {rho['value']:.2f}{_bounds(rho)}, corrected p = {rho['p_adjusted']:.3f}"
        yield f"Accuracy {does} {what} ({numbers}{beyond})."


def _counts(tables: Tables) -> Iterator[str]:
    items = tables["items"].filter(pl.col("context") == WITH)
    ties, several, missing = (int(items[name].sum()) for name in ("tie", "several", "missing"))
    left_out = "count as wrong" if tables["about"]["ties_are_wrong"][0] else "are left out of accuracy"
    if ties:
        yield f"{ties} items are ties, which {left_out}."
    if several:
        yield f"{several} items hold a word of several tokens, ranked by its probability among all single tokens."
    if missing:
        yield f"{missing} items hold a word that the model cannot write, and are left out."


def _bounds(row: dict[str, Any], *, percent: bool = False) -> str:
    if row["low"] is None:
        return ""
    return f" [{row['low']:.1%}, {row['high']:.1%}]" if percent else f" [{row['low']:.2f}, {row['high']:.2f}]"
