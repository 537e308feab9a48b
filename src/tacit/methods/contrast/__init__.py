"""Contrast: does a model rank the right word above one that would reverse the sentence?

The method of "Testing language models' ability to predict intensifiers". A sentence has one blank, a word that belongs
there ("always") and a rival ("not"). The model's ranks of both give accuracy, MRR and rank difference, with the context
and without it. Word frequency and intensity are tested as explanations of accuracy. Ranks found elsewhere and the
choices of people are scored in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.contrast.answers import given_answers
from tacit.methods.contrast.glance import glance, term
from tacit.methods.contrast.materials import WITH, ContrastMaterials, ContrastShape, read_materials
from tacit.methods.contrast.measures import compute_measures, paired_measures
from tacit.methods.contrast.questions import PAIR, questions
from tacit.methods.contrast.settings import ContrastSettings
from tacit.methods.contrast.summary import headline, key_rows, summarize
from tacit.methods.contrast.validity import judge_validity
from tacit.methods.contrast.verdicts import list_verdicts
from tacit.methods.glance import Glance, Term
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Contrast", "ContrastMaterials", "ContrastSettings", "ContrastShape"]


class Contrast(Method[ContrastMaterials, ContrastSettings]):
    """Accuracy, MRR and rank difference of words and their rivals, with context and without."""

    name = "contrast"
    settings = ContrastSettings
    shape = ContrastShape
    exchange_note = "the word and its rival with their probabilities, the likelier first"

    def materials(self, probe: Probe, settings: ContrastSettings) -> ContrastMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: ContrastMaterials, settings: ContrastSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def given_answers(self, materials: ContrastMaterials, settings: ContrastSettings) -> dict[str, pl.DataFrame]:
        return given_answers(materials, settings)

    def measure(self, materials: ContrastMaterials, settings: ContrastSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: ContrastMaterials, settings: ContrastSettings) -> tuple[PairedMeasure, ...]:
        return paired_measures(materials)

    def validity(self, tables: Tables) -> Validity:
        return judge_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline(tables)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def shown_questions(
        self, materials: ContrastMaterials, settings: ContrastSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        asked = questions(materials, settings, family)
        pairs = (question for question in asked if question.keys.get("asked", PAIR) == PAIR)
        return (question for question in pairs if question.keys["context"] == WITH)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.contrast.figures import figures  # noqa: PLC0415 - only a report needs altair

        return figures(tables)
