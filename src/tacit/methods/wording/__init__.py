"""Wording (Garg et al. 2022, Appendix A.2): how far do the sentiment tests depend on the prompt and the label words?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, Tables, Validity, Verdict
from tacit.methods.glance import Glance, Term
from tacit.methods.wording import summary as said
from tacit.methods.wording.materials import WordingMaterials, WordingShape, read_materials
from tacit.methods.wording.measures import compute_measures
from tacit.methods.wording.questions import count_questions, questions, reviews_alone
from tacit.methods.wording.settings import WordingSettings
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Wording", "WordingSettings"]


class Wording(Method[WordingMaterials, WordingSettings]):
    """Both sentiment tests in many wordings.

    Every prompt is asked after every review, alone and after a repeated neutral word. One answer holds the
    probabilities of all label words, so that each pair of them gives a label. What a word does to the labels is then
    compared between prompts and between pairs, and how likely the word itself is at the blank, between prompts.
    """

    name = "wording"
    tuned_standards = ("reviews",)
    settings = WordingSettings
    shape = WordingShape
    exchange_note = "all label words with their probabilities, the likeliest first"

    def materials(self, probe: Probe, settings: WordingSettings) -> WordingMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: WordingMaterials, settings: WordingSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def count_questions(self, materials: WordingMaterials, settings: WordingSettings, family: Family) -> int:
        return count_questions(materials)

    def measure(self, materials: WordingMaterials, settings: WordingSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def validity(self, tables: Tables) -> Validity:
        return said.assess_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return said.list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return said.headline(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return said.summarize(tables, model)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return said.key_rows(tables)

    def glance(self, tables: Tables) -> Glance | None:
        return said.glance(tables)

    def term(self, measure: str) -> Term:
        return said.term(measure)

    def shown_questions(
        self, materials: WordingMaterials, settings: WordingSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return reviews_alone(materials, settings, family)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.wording.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)
