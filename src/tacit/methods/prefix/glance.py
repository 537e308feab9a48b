"""Prefix at a glance: the share of labels that naming a region changes."""

from __future__ import annotations

from tacit.methods.base import Tables
from tacit.methods.glance import CANNOT_TELL, Glance, Term, find_row
from tacit.methods.prefix.baseline import CHANGED_BY_REGION, CHANGED_BY_SENTENCE
from tacit.methods.prefix.measures import CHANGED
from tacit.methods.prefix.quality import ALL_REGIONS
from tacit.methods.prefix.regions import MATTERS, REGIONS_DIFFER

__all__ = ["glance", "term"]

_TERMS = {
    CHANGED: "labels that naming a region changes",
    CHANGED_BY_SENTENCE: "labels that the sentence changes without a region",
    CHANGED_BY_REGION: "labels that the region's name changes in the sentence",
}


def term(measure: str) -> Term:
    """A measure in plain words."""
    words = _TERMS.get(measure, measure)
    return Term(words, percent=not measure.startswith("change in") and measure != "macro F1")


def glance(tables: Tables) -> Glance | None:
    """The share of labels that change, over all regions; whether it matters which region is named."""
    row = find_row(tables["measures"], CHANGED, ALL_REGIONS)
    if row is None:
        return None
    spread = find_row(tables["measures"], REGIONS_DIFFER, ALL_REGIONS)
    matters = spread is not None and spread["verdict"] == MATTERS
    return Glance(
        phrase="It matters which region is named" if matters else CANNOT_TELL,
        row=row,
        label=f"Labels that naming a region changes, over {tables['regions'].height} regions",
        poles=("none", "more labels"),
        percent=True,
        detail=f"Naming a region changes {row['value']:.1%} of the labels on average.",
    )
