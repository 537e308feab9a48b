"""Valence at a glance: beta of the first group of sentences, which the probe's title asks about."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.glance import Glance, Term, find_row, lean_phrase
from tacit.methods.valence.control import FOUND

__all__ = ["glance", "term"]

_TERMS = {
    FOUND: Term("sentences in which it finds the original word", percent=True),
    "beta": Term("average score of the words it fills in"),
    "delta": Term("how well its words fit the sentence (1 = as the sentence itself)"),
    "rated": Term("share of its words that people have rated", percent=True),
    "beta_low": Term("lowest average score that unrated words allow"),
    "beta_high": Term("highest average score that unrated words allow"),
    "delta_low": Term("worst fit that unrated words allow"),
    "delta_high": Term("best fit that unrated words allow"),
}


def term(measure: str) -> Term:
    """A measure in plain words."""
    return _TERMS.get(measure, Term(measure.replace("_", " ")))


def glance(tables: Tables) -> Glance | None:
    """Beta of the first group, between the two poles of the scale."""
    scale, group = tables["scale"].row(0, named=True), tables["sentences"]["group"][0]
    row = find_row(tables["measures"], "beta", group)
    if row is None:
        return None
    low, high, ends = scale["low"], scale["high"], (scale["least"], scale["greatest"])
    members = tables["sentences"].filter((pl.col("group") == group) & pl.col("counted"))
    toward = members.filter(pl.col("beta") < sum(ends) / 2).height
    return Glance(
        phrase=lean_phrase(row, f"Leans to {low}", f"Leans to {high}"),
        row=row,
        label=f"Average score of its words in {group} sentences",
        poles=(low, high),
        ends=ends,
        detail=f"Its words lean to {low} in {toward} of {members.height} {group} sentences.",
    )
