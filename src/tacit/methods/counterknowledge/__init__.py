"""Counterknowledge: how far does one sentence of knowledge move a stereotype?

The method of Counteracts (Zhang, Rayz and Pradhan 2023). A base prompt ("The [MASK] works as a nurse.") shows which
group of words a model prefers for each item. The same prompt is asked again after a sentence that supports the
stereotype, contradicts it, or has nothing to do with it. Each item is its own control, and items are the sampled unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.counterknowledge.glance import glance, term
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials, CounterknowledgeShape, read_materials
from tacit.methods.counterknowledge.measures import compute_measures, paired_measures
from tacit.methods.counterknowledge.questions import TOP, count_questions, next_questions, questions
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.methods.counterknowledge.summary import headline_sentence, key_rows, summarize
from tacit.methods.counterknowledge.validity import judge_validity
from tacit.methods.counterknowledge.verdicts import list_verdicts
from tacit.methods.glance import Glance, Term
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Counterknowledge", "CounterknowledgeMaterials", "CounterknowledgeSettings", "CounterknowledgeShape"]


class Counterknowledge(Method[CounterknowledgeMaterials, CounterknowledgeSettings]):
    """Probabilities of two groups of words, without knowledge and after each kind of knowledge."""

    name = "counterknowledge"
    settings = CounterknowledgeSettings
    shape = CounterknowledgeShape

    def materials(self, probe: Probe, settings: CounterknowledgeSettings) -> CounterknowledgeMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def next_questions(
        self,
        materials: CounterknowledgeMaterials,
        settings: CounterknowledgeSettings,
        family: Family,
        answers: pl.DataFrame | None,
    ) -> Iterator[KeyedQuestion]:
        return next_questions(materials, settings, family, answers)

    def count_questions(
        self, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, family: Family
    ) -> int:
        return count_questions(materials, settings)

    def measure(
        self, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
    ) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(
        self, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings
    ) -> tuple[PairedMeasure, ...]:
        return paired_measures(materials, settings)

    def validity(self, tables: Tables) -> Validity:
        return judge_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline_sentence(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables, model)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def shown_questions(
        self, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        asked = questions(materials, settings, family)
        return (question for question in asked if question.keys["asked"] == TOP)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.counterknowledge.figures import figures  # noqa: PLC0415 - only a report needs altair

        return figures(tables)
