"""Counterknowledge at a glance: the stereotype of the base prompts, and what it takes to change it."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.glance import Glance, Term, find_row, is_decided, lean_phrase

__all__ = ["glance", "term"]

_SIGNIFICANT = 0.05
_TERMS = {
    "stereotype": "how much likelier the stereotypical words are",
    "margin": "how much likelier the first group's words are",
    "effect on the stereotype": "what the knowledge does to the stereotype",
    "effect on the pro-stereotypical share": "what the knowledge does to the stereotypical share",
    "share of the stereotype undone": "how much of the stereotype the knowledge undoes",
    "pro-stereotypical share": "stereotypical words among those of both groups",
    "share of words that are neither": "words of neither group",
}


def term(measure: str) -> Term:
    """A measure in plain words, with the words it looks at: all of them, or the likeliest."""
    name, comma, reach = measure.rpartition(", ")
    words = _TERMS.get(name, name or measure)
    return Term(f"{words}{comma}{reach}" if name else words, percent=words.startswith("share of"))


def glance(tables: Tables) -> Glance | None:
    """Stereotype of the base prompts: how much likelier stereotypical words are than their opposites."""
    names = dict(tables["names"].iter_rows())
    reach = tables["items"]["reach"][0]
    row = find_row(tables["measures"], f"stereotype, {reach}", BASE)
    if row is None:
        return None
    effects = tables["measures"].filter(
        (pl.col("measure") == f"effect on the stereotype, {reach}") & pl.col("item").is_null()
    )
    changing = sum(_changes(effect) for effect in effects.iter_rows(named=True))
    return Glance(
        phrase=lean_phrase(row, "Leans against the stereotype", "Leans with the stereotype"),
        row=row,
        label=f"How much likelier stereotypical words are, over {row['n']} {names['many']}",
        poles=("against", "with the stereotype"),
        detail=f"{changing} of {effects.height} kinds of knowledge are shown to change it.",
    )


def _changes(effect: dict[str, object]) -> bool:
    if is_decided(effect):
        return True
    p = effect["p_adjusted"]
    return effect.get("verdict") is None and isinstance(p, float) and p < _SIGNIFICANT
