"""Answers to measures: means by word, category and overall, what context adds, and what explains accuracy.

Sentences of the same word are not independent, so categories and the overall values resample words.
"""

from __future__ import annotations

import polars as pl

from tacit.methods.base import PairedMeasure, Tables, measures_table
from tacit.methods.contrast.explanations import category_rows, explanation_rows
from tacit.methods.contrast.fillings import error_table, filling_rows, filling_table
from tacit.methods.contrast.items import BY_PEOPLE, item_table, word_table
from tacit.methods.contrast.materials import WITH, ContrastMaterials
from tacit.methods.contrast.means import (
    Group,
    Scores,
    category_groups,
    item_measures,
    mean_rows,
    word_groups,
    word_means,
)
from tacit.methods.contrast.questions import PAIR, TOP
from tacit.methods.contrast.regression import regression_rows
from tacit.methods.contrast.settings import ContrastSettings
from tacit.methods.contrast.verdicts import ALL_ITEMS

__all__ = ["compute_measures", "paired_measures"]


def compute_measures(materials: ContrastMaterials, settings: ContrastSettings, answers: pl.DataFrame) -> Tables:
    """Scores per item, then means, gains from context, explanations of accuracy and differences of categories."""
    ties_are_wrong = settings.mode == "as-published"
    pairs, top = _by_question(answers.sort("question", "part"))
    items = item_table(materials, pairs, ties_are_wrong=ties_are_wrong)
    means, scores = word_means(materials, items), Scores.of(items)
    rows = [
        *mean_rows(materials, settings, scores, [Group("all", ALL_ITEMS)]),
        *explanation_rows(materials, settings, means),
        *mean_rows(materials, settings, scores, category_groups(materials)),
        *category_rows(materials, settings, means),
        *mean_rows(materials, settings, scores, word_groups(materials)),
    ]
    more = regression_rows(materials, settings, items) if settings.bigrams else []
    analysis = {}
    if len(top):
        fillings = filling_table(materials, items, top)
        more += filling_rows(materials, settings, fillings)
        analysis = {"fillings": fillings, "errors": error_table(materials, fillings)}
    return {
        "measures": pl.concat([measures_table(rows), item_measures(items), measures_table(more)]),
        "items": items,
        "units": _unit_table(materials, items),
        "words": means.join(word_table(materials).drop("category"), on="word", how="left", maintain_order="left"),
        "about": _about_table(materials, items, ties_are_wrong=ties_are_wrong),
        **analysis,
    }


def _by_question(answers: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The answers about the word and its rivals, and the likeliest words, which answers from elsewhere lack."""
    if "asked" not in answers.columns:
        return answers, answers.clear()
    return answers.filter(pl.col("asked") == PAIR), answers.filter(pl.col("asked") == TOP)


def paired_measures(materials: ContrastMaterials) -> tuple[PairedMeasure, ...]:
    """What two models are compared by: accuracy, item by item.

    MRR and diff are not compared: ranks in vocabularies of different sizes are not on one scale.
    """
    lower, higher = (
        f"ranks the {materials.noun} above {_rival_name(materials)} {how} often" for how in ("less", "more")
    )
    return (PairedMeasure("acc", lower, higher, "sentences", materials.resampled),)


def _unit_table(materials: ContrastMaterials, items: pl.DataFrame) -> pl.DataFrame:
    """Which word and which frame each compared item belongs to."""
    units = {materials.noun: "word"} | ({materials.frame: "frame"} if materials.frame else {})
    asked = items.filter(pl.col("context") == WITH)
    return asked.select(pl.col("category").alias("group"), "item", **units)


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
            "two_sided": [materials.two_sided],
            "people": [bool(items["ranked_among"].str.starts_with(BY_PEOPLE).any())],
        }
    )
