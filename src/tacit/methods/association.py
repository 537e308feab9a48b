"""Association (SAT, Garg et al. 2022): does a word keep company with praise or with blame?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
from pydantic import Field, field_validator

from tacit.methods.association_measures import Rule, tables
from tacit.methods.association_sentences import told
from tacit.methods.base import Asked, Compared, Family, Tables
from tacit.methods.sentiment_materials import (
    POLARITIES,
    SentimentMaterials,
    SentimentSettings,
    prompt_for,
    read_materials,
)
from tacit.probes.loading import Probe
from tacit.questions import Choose

__all__ = ["Association", "AssociationSettings"]


class AssociationSettings(SentimentSettings):
    """How far apart the means must be, and at which rate false findings are allowed."""

    thresholds: tuple[float, ...] = (0.5, 1.0, 1.5)
    """The study's m: how many standard deviations."""
    false_discoveries: float = Field(0.05, gt=0, lt=1)
    """A word leans if its p-value, corrected by Benjamini and Hochberg among the words of its polarity, is smaller."""

    @field_validator("thresholds", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return given.split(",") if isinstance(given, str) else given

    @field_validator("thresholds")
    @classmethod
    def _not_negative(cls, given: tuple[float, ...]) -> tuple[float, ...]:
        if not given or min(given) < 0:
            raise ValueError("thresholds are numbers from 0, such as 0.5,1,1.5")
        return given


class Association:
    """Probabilities of all words at the blank after every review, compared between praise and blame."""

    name = "association"
    settings = AssociationSettings

    def materials(self, probe: Probe, settings: AssociationSettings) -> SentimentMaterials:
        return read_materials(probe, settings, POLARITIES)

    def questions(
        self, materials: SentimentMaterials, settings: AssociationSettings, family: Family
    ) -> Iterator[Asked]:
        words, prompt = tuple(materials.words["word"]), prompt_for(settings.prompt, family)
        for review in materials.reviews:
            yield Asked({"review": review.id}, Choose(prompt, words, context=review.text))

    def measure(self, materials: SentimentMaterials, settings: AssociationSettings, answers: pl.DataFrame) -> Tables:
        return tables(materials, settings, answers, Rule(settings.thresholds, settings.false_discoveries))

    def comparisons(self, materials: SentimentMaterials, settings: AssociationSettings) -> tuple[Compared, ...]:
        return (
            Compared("association", "leans more to blame", "leans more to praise", "words"),
            Compared("strength", "leans less, whichever way,", "leans more, whichever way,", "words"),
        )

    def sentences(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)
