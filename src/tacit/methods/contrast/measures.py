"""Answers to measures: means by word, category and overall, what context adds, and what explains accuracy.

Sentences of the same word are not independent, so categories and the overall values resample words.
"""

from __future__ import annotations

import polars as pl

from tacit.methods.base import PairedMeasure, Tables, measures_table
from tacit.methods.contrast.explanations import category_rows, explanation_rows
from tacit.methods.contrast.items import BY_PEOPLE, item_table, word_table
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.means import (
    ALL_ITEMS,
    category_groups,
    gains_table,
    item_rows,
    mean_rows,
    word_groups,
    word_means,
)
from tacit.methods.contrast.settings import ContrastSettings

__all__ = ["compute_measures", "paired_measures"]


def compute_measures(materials: ContrastMaterials, settings: ContrastSettings, answers: pl.DataFrame) -> Tables:
    """Scores per item, then means, gains from context, explanations of accuracy and differences of categories."""
    ties_are_wrong = settings.mode == "as-published"
    items = item_table(materials, answers.sort("question", "part"), ties_are_wrong=ties_are_wrong)
    means, gains = word_means(materials, items), gains_table(items)
    rows = [
        *mean_rows(settings, items, gains, [ALL_ITEMS]),
        *explanation_rows(materials, settings, means),
        *mean_rows(settings, items, gains, category_groups(materials)),
        *category_rows(materials, settings, means),
        *mean_rows(settings, items, gains, word_groups(materials)),
        *item_rows(items),
    ]
    return {
        "measures": measures_table(rows),
        "items": items,
        "words": means.join(word_table(materials).drop("category"), on="word", how="left", maintain_order="left"),
        "about": _about_table(materials, items, ties_are_wrong=ties_are_wrong),
    }


def paired_measures(materials: ContrastMaterials) -> tuple[PairedMeasure, ...]:
    """The measures that two models are compared by: accuracy and rank difference, item by item."""
    noun, rival = materials.noun, _rival_name(materials)
    return (
        PairedMeasure(
            "acc", f"ranks the {noun} above {rival} less often", f"ranks the {noun} above {rival} more often", "items"
        ),
        PairedMeasure(
            "diff",
            f"ranks the {noun} higher relative to {rival}",
            f"ranks the {noun} lower relative to {rival}",
            "items",
        ),
    )


def _rival_name(materials: ContrastMaterials) -> str:
    """The rival as a sentence names it: quoted if all words have the same one."""
    rivals = {word.rivals for word in materials.words.values()}
    return f'"{rivals.pop()[0]}"' if len(rivals) == 1 else "its opposite"


def _about_table(materials: ContrastMaterials, items: pl.DataFrame, *, ties_are_wrong: bool) -> pl.DataFrame:
    """The names and facts that the summary and the figures need."""
    return pl.DataFrame(
        {
            "noun": [materials.noun],
            "against": [_rival_name(materials)],
            "ties_are_wrong": [ties_are_wrong],
            "people": [bool(items["ranked_among"].str.starts_with(BY_PEOPLE).any())],
        }
    )
