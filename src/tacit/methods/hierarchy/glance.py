"""Hierarchy at a glance: are parts of one region described more alike than parts grouped at random?"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import polars as pl

from tacit.methods.base import Tables, plural
from tacit.methods.exchanges import MOST_EXCHANGES, Exchange, Word
from tacit.methods.glance import Glance, Term, find_row, lean_phrase
from tacit.methods.hierarchy.answers import sentence_scores
from tacit.methods.hierarchy.controls import MEAN_OF_TOPS, SHUFFLED, TEMPLATE, TOKENS
from tacit.methods.hierarchy.geography import DESCRIPTIONS_AND_GLOBE, NAMES_AND_GLOBE
from tacit.methods.hierarchy.headline import C_W, C_Z, PLAIN
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import HEADLINE
from tacit.methods.hierarchy.ranking import HIGHEST
from tacit.questions import BLANK, compose

__all__ = ["glance", "list_exchanges", "term"]

_MOST_WORDS = 5
_TERMS = {
    C_W: "how differently the parts are described",
    C_Z: "the same, weighed by how likely the names are",
    PLAIN: "the same, without the hierarchy",
    TOKENS: "the same, with the length of the names evened out",
    TEMPLATE: "the same, beside the sentence without a region",
    SHUFFLED: "how differently the parts are described, beside parts grouped at random",
    HIGHEST: "how differently the parts of the highest are described, as a multiple of the next",
    NAMES_AND_GLOBE: "whether names are near each other in the model where the places are",
    DESCRIPTIONS_AND_GLOBE: "whether places near each other are described alike",
}


def term(measure: str) -> Term:
    """A measure in plain words."""
    return Term(_TERMS.get(measure, measure))


def glance(tables: Tables) -> Glance | None:
    """The mean C_w of the top regions beside that of shuffled trees, which is its neutral point."""
    row = find_row(tables["measures"], SHUFFLED, MEAN_OF_TOPS)
    if row is None:
        return None
    tops, parts = _levels(tables)
    return Glance(
        phrase=lean_phrase(
            row, f"More alike within one {tops} than at random", f"Less alike within one {tops} than at random"
        ),
        row=row,
        label=f"How differently {parts} of one {tops} are described",
        poles=("more alike", "less alike"),
        detail=f"The dashed line is where {parts} grouped at random would lie.",
    )


def _levels(tables: Tables) -> tuple[str, str]:
    regions = tables["regions"]
    top = regions.filter(pl.col("name") == pl.col("top")).row(0, named=True)
    below = regions.filter(pl.col("depth") == top["depth"] + 1)
    return str(top["level"]), plural(below["level"][0]) if below.height else "parts"


def list_exchanges(materials: HierarchyMaterials, answers: pl.DataFrame) -> list[Exchange]:
    """For each region the words that fit it better than they fit the other regions on average.

    The scores of whole sentences cannot be compared between words: a common word makes every sentence likelier. So each
    word is compared with itself in the other regions.
    """
    tree, words = materials.tree, [word.word for word in materials.words]
    scores = sentence_scores(HEADLINE, tree, materials, answers)
    beside = scores - scores.mean(axis=0)
    beside -= beside.mean(axis=1, keepdims=True)  # a long or rare name makes every sentence less likely
    order = np.argsort(tree.depths, kind="stable")[:MOST_EXCHANGES].tolist()
    return [_exchange(materials, words, place, beside[place]) for place in order]


def _exchange(materials: HierarchyMaterials, words: list[str], place: int, beside: Any) -> Exchange:
    region = materials.tree.regions[place]
    text, _ = compose(materials.templates[0], region=region.name, description=BLANK)
    best: dict[str, float] = {}  # a word that belongs to two topics is shown once
    for i in np.argsort(-beside).tolist():
        best.setdefault(words[i], float(beside[i]))
    fitting = tuple(Word(word, f"{gain:+.2f}", gain) for word, gain in islice(best.items(), _MOST_WORDS))
    return Exchange({"level": region.level, "region": region.key}, text, fitting)
