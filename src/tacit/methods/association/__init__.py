"""Association (SAT, Garg et al. 2022): does a word keep company with praise or with blame?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.association.measures import Rule, tables
from tacit.methods.association.settings import AssociationSettings
from tacit.methods.association.summary import told
from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.sentiment.materials import (
    POLARITIES,
    SentimentMaterials,
    SentimentShape,
    prompt_for,
    read_materials,
)
from tacit.probes.loading import Probe
from tacit.questions import Choose

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Association", "AssociationSettings"]


class Association(Method[SentimentMaterials, AssociationSettings]):
    """Probabilities of all words at the blank after every review, compared between praise and blame."""

    name = "association"
    settings = AssociationSettings
    shape = SentimentShape

    def materials(self, probe: Probe, settings: AssociationSettings) -> SentimentMaterials:
        return read_materials(probe, settings, POLARITIES)

    def questions(
        self, materials: SentimentMaterials, settings: AssociationSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        words, prompt = tuple(materials.words["word"]), prompt_for(settings.prompt, family)
        for review in materials.reviews:
            yield KeyedQuestion({"review": review.id}, Choose(prompt, words, context=review.text))

    def measure(self, materials: SentimentMaterials, settings: AssociationSettings, answers: pl.DataFrame) -> Tables:
        return tables(materials, settings, answers, Rule(settings.thresholds, settings.false_discoveries))

    def comparisons(self, materials: SentimentMaterials, settings: AssociationSettings) -> tuple[PairedMeasure, ...]:
        return (
            PairedMeasure("association", "leans more to blame", "leans more to praise", "words"),
            PairedMeasure("strength", "leans less, whichever way,", "leans more, whichever way,", "words"),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.association.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)
