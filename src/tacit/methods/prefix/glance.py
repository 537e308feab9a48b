"""Prefix at a glance: the share of labels that naming a region changes."""

from __future__ import annotations

from tacit.methods.base import Tables
from tacit.methods.glance import CANNOT_TELL, Glance, Term, find_row, is_decided
from tacit.methods.prefix.measures import ALL_REGIONS, CHANGED

__all__ = ["glance", "term"]


def term(measure: str) -> Term:
    """A measure in plain words."""
    words = {CHANGED: "labels that naming a region changes"}.get(measure, measure)
    return Term(words, percent=not measure.startswith("change in") and measure != "macro F1")


def glance(tables: Tables) -> Glance | None:
    """The share of labels that change, over all regions; 0 would be no change."""
    row = find_row(tables["measures"], CHANGED, ALL_REGIONS)
    if row is None:
        return None
    verdict = str(row["verdict"]) if is_decided(row) else CANNOT_TELL
    return Glance(
        phrase=f"{verdict[:1].upper()}{verdict[1:]}",
        row=row,
        label=f"Labels that naming a region changes, over {tables['regions'].height} regions",
        poles=("none", "more labels"),
        percent=True,
        detail=f"Naming a region changes {row['value']:.1%} of the labels on average.",
    )
