"""Contrast (the intensifier study): is a word ranked above one that would turn the sentence round?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, measures_table
from tacit.methods.contrast.answers import answers_from_choices, answers_from_csv
from tacit.methods.contrast.explanations import category_rows, explanation_rows
from tacit.methods.contrast.items import BY_PEOPLE, WITH, WITHOUT, item_table, word_table
from tacit.methods.contrast.materials import ContrastMaterials, ContrastShape, read_materials
from tacit.methods.contrast.measures import (
    by_category,
    by_word,
    gains_table,
    item_rows,
    mean_rows,
    overall,
    word_means,
)
from tacit.methods.contrast.settings import ContrastSettings
from tacit.methods.contrast.summary import told
from tacit.probes.loading import Probe
from tacit.questions import BLANK, Choose, split_blank

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Contrast", "ContrastSettings"]


class Contrast(Method[ContrastMaterials, ContrastSettings]):
    """acc, MRR and diff of a word and what it is held against, with context and without."""

    name = "contrast"
    settings = ContrastSettings
    shape = ContrastShape

    def materials(self, probe: Probe, settings: ContrastSettings) -> ContrastMaterials:
        """The words and the sentences."""
        return read_materials(probe, settings.language)

    def questions(
        self, materials: ContrastMaterials, settings: ContrastSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        """Both words in the blank of every sentence, then of its bare form."""
        cut = family == "causal" and settings.causal == "next"
        for item in materials.items:
            word = materials.words[item.word]
            for context, text in ((WITH, item.text), (WITHOUT, item.bare if settings.bare else "")):
                if text:
                    keys: dict[str, str | int] = {"item": item.id, "word": item.word, "context": context}
                    yield KeyedQuestion(keys, Choose(_until_blank(text) if cut else text, word.words + word.against))

    def given_answers(self, materials: ContrastMaterials, settings: ContrastSettings) -> dict[str, pl.DataFrame]:
        """The answers of `--answers` under the name of the file, or those of people; none where a model is asked."""
        if settings.answers is not None:
            return {settings.answers.stem: answers_from_csv(materials, settings.answers)}
        if settings.people is not None:
            return {"people": answers_from_choices(materials, settings.people)}
        return {}

    def measure(self, materials: ContrastMaterials, settings: ContrastSettings, answers: pl.DataFrame) -> Tables:
        """Means by word, category and overall; what context adds; what explains accuracy; and every item."""
        wrong = settings.mode == "as-published"
        items = item_table(materials, answers.sort("question", "part"), ties_are_wrong=wrong)
        means = word_means(materials, items)
        gains = gains_table(items)
        rows = mean_rows(settings, items, gains, overall()) + explanation_rows(materials, settings, means)
        rows += mean_rows(settings, items, gains, by_category(materials)) + category_rows(materials, settings, means)
        rows += mean_rows(settings, items, gains, by_word(materials))
        return {
            "measures": measures_table(rows + item_rows(items)),
            "items": items,
            "words": means.join(word_table(materials).drop("category"), on="word", how="left", maintain_order="left"),
            "about": _about(materials, items, ties_are_wrong=wrong),
        }

    def comparisons(self, materials: ContrastMaterials, settings: ContrastSettings) -> tuple[PairedMeasure, ...]:
        """Accuracy and rank difference, item by item."""
        against = _against(materials)
        return (
            PairedMeasure(
                "acc",
                f"ranks the {materials.noun} above {against} less often",
                f"ranks the {materials.noun} above {against} more often",
                "items",
            ),
            PairedMeasure(
                "diff",
                f"ranks the {materials.noun} higher relative to {against}",
                f"ranks the {materials.noun} lower relative to {against}",
                "items",
            ),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        """The result in plain words."""
        return told(tables, model)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.contrast.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)


def _until_blank(text: str) -> str:
    return f"{split_blank(text)[0]}{BLANK}"


def _against(materials: ContrastMaterials) -> str:
    others = {word.against for word in materials.words.values()}
    return f'"{others.pop()[0]}"' if len(others) == 1 else "its opposite"


def _about(materials: ContrastMaterials, items: pl.DataFrame, *, ties_are_wrong: bool) -> pl.DataFrame:
    """What the figures and sentences need to name things."""
    people = bool(items["ranked_among"].str.starts_with(BY_PEOPLE).any())
    return pl.DataFrame(
        {
            "noun": [materials.noun],
            "against": [_against(materials)],
            "ties_are_wrong": [ties_are_wrong],
            "people": [people],
        }
    )
