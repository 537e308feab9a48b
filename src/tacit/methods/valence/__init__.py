"""Valence (Cuscito, Ferrara and Ruskov 2024): toward which pole of a scale does a model fill the blank?

The model fills the blank of each sentence, people have scored the fillings on a bipolar scale, and two measures follow:
beta, the mean score of the likeliest fillings weighted by their probability, and delta, how close beta comes to the
score of the sentence itself. Fillings that nobody has rated are never guessed: they widen the bounds of both measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.exchanges import Exchange
from tacit.methods.glance import Glance, Term
from tacit.methods.valence import questions
from tacit.methods.valence.glance import glance, term
from tacit.methods.valence.materials import ValenceMaterials, ValenceShape, read_materials
from tacit.methods.valence.measures import compute_measures
from tacit.methods.valence.settings import ValenceSettings
from tacit.methods.valence.summary import headline_sentence, key_rows, summarize
from tacit.methods.valence.validity import judge_validity
from tacit.methods.valence.verdicts import list_verdicts
from tacit.probes.loading import Probe
from tacit.ratings import Rating

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Valence", "ValenceSettings"]


class Valence(Method[ValenceMaterials, ValenceSettings]):
    """Measures beta, the leaning of the likeliest fillings, and delta, how well they fit the sentence."""

    name = "valence"
    settings = ValenceSettings
    shape = ValenceShape

    def materials(self, probe: Probe, settings: ValenceSettings) -> ValenceMaterials:
        return read_materials(probe, settings)

    def ratings(self, materials: ValenceMaterials) -> Sequence[Rating]:
        return materials.ratings

    def materials_with(self, probe: Probe, settings: ValenceSettings, ratings: Path) -> ValenceMaterials:
        return read_materials(probe, settings, ratings)

    def questions(
        self, materials: ValenceMaterials, settings: ValenceSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions.questions(materials, settings)

    def given_answers(self, materials: ValenceMaterials, settings: ValenceSettings) -> dict[str, pl.DataFrame]:
        return questions.given_answers(materials)

    def measure(self, materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: ValenceMaterials, settings: ValenceSettings) -> tuple[PairedMeasure, ...]:
        low, high = materials.scale.low, materials.scale.high
        pooled = len(materials.groups) > 1
        unit, unknown = "sentences of all groups" if pooled else "sentences", "unrated fillings"
        return (
            PairedMeasure("beta", f"leans more to {low}", f"leans more to {high}", unit, unknown=unknown),
            PairedMeasure("delta", "fits the sentences worse", "fits the sentences better", unit, unknown=unknown),
        )

    def validity(self, tables: Tables) -> Validity:
        return judge_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline_sentence(tables)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables, model)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def exchanges(
        self, materials: ValenceMaterials, settings: ValenceSettings, family: Family, answers: pl.DataFrame
    ) -> list[Exchange]:
        groups = dict(materials.sentences.select("sentence", "group").iter_rows())
        exchanges = super().exchanges(materials, settings, family, answers)
        return [replace(one, keys={"group": groups[one.keys["sentence"]], **one.keys}) for one in exchanges]

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.valence.figures import figures  # noqa: PLC0415 - only reports need altair

        return figures(tables)
