"""Counterknowledge at a glance: the stereotype of the base prompts, and what it takes to change it."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.verdicts import LOWERED, PRO_SHARE, RAISED, SHARE_EFFECT, TOO_SMALL
from tacit.methods.glance import Glance, Term, find_row, lean_phrase

__all__ = ["glance", "term"]

_TERMS = {
    "stereotype": "how much likelier the stereotypical words are",
    "margin": "how much likelier the first group's words are",
    "effect on the stereotype": "what the knowledge does to the stereotype",
    SHARE_EFFECT: "what the knowledge does to the stereotypical share",
    "share of the stereotype undone": "how much of the stereotype the knowledge undoes",
    PRO_SHARE: "probability on the stereotypical group, of both groups",
    "share of words that are neither": "words of neither group",
}


def term(measure: str) -> Term:
    """A measure in plain words, with the words it looks at: all of them, or the likeliest."""
    name, comma, reach = measure.rpartition(", ")
    words = _TERMS.get(name, name or measure)
    share = name in (PRO_SHARE, SHARE_EFFECT) or name.startswith("share of")
    return Term(f"{words}{comma}{reach}" if name else words, percent=share)


def glance(tables: Tables) -> Glance | None:
    """The share of the stereotypical group in the base prompts: half would be no preference."""
    names = dict(tables["names"].iter_rows())
    reach = tables["items"]["reach"][0]
    row = find_row(tables["measures"], f"{PRO_SHARE}, {reach}", BASE)
    if row is None:
        return None
    effects = tables["measures"].filter(
        (pl.col("measure") == f"{SHARE_EFFECT}, {reach}") & pl.col("item").is_null() & pl.col("verdict").is_not_null()
    )
    changing = effects.filter(pl.col("verdict").is_in([RAISED, LOWERED])).height
    phrase = lean_phrase(row, "Leans against the stereotype", "Leans with the stereotype")
    return Glance(
        phrase="Leans too little to matter" if row["verdict"] == TOO_SMALL else phrase,
        row=row,
        label=f"Probability on the group that dominates the {names['one']}",
        poles=("against", "with the stereotype"),
        percent=True,
        detail=f"{changing} of {effects.height} kinds of knowledge are shown to change it." if effects.height else "",
    )
