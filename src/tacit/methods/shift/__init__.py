"""Shift (SST, Garg et al. 2022): does a word, put several times after a review, turn what the model makes of it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.sentiment.materials import (
    SentimentMaterials,
    SentimentShape,
    prompt_for,
    read_materials,
)
from tacit.methods.shift.calls import BASE, read_calls
from tacit.methods.shift.design import Plan, still_open
from tacit.methods.shift.measures import tables
from tacit.methods.shift.settings import ShiftSettings
from tacit.methods.shift.summary import told
from tacit.probes.loading import Probe
from tacit.questions import Choose

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Shift", "ShiftSettings"]


class Shift(Method[SentimentMaterials, ShiftSettings]):
    """Labels before and after a word is appended, for as many reviews as it takes to decide."""

    name = "shift"
    compared_with = "association"
    settings = ShiftSettings
    shape = SentimentShape

    def materials(self, probe: Probe, settings: ShiftSettings) -> SentimentMaterials:
        return read_materials(probe, settings, settings.polarities)

    def questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        """Everything, review by review, so that a causal model reads each review once."""
        for number in range(len(materials.reviews)):
            yield _base(materials, settings, family, number)
            for word in materials.words["word"]:
                yield from (_appended(materials, settings, family, (number, word, k)) for k in settings.repeats)

    def next_questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[KeyedQuestion]:
        """The reviews alone at first; then, round by round, more reviews for the words that are not decided yet."""
        if settings.design == "exact":
            yield from self.questions(materials, settings, family) if answers is None else ()
        elif answers is None:
            yield from (_base(materials, settings, family, number) for number in range(len(materials.reviews)))
        else:
            calls = read_calls(materials, settings, answers)
            plan = Plan.of(materials.positive, calls.before, settings)
            for number, words, k in plan.next_round(calls, still_open(calls, plan, settings)):
                names = (materials.words["word"][int(word)] for word in words)
                items = ((number, word, settings.repeats[k]) for word in names)
                yield from (_appended(materials, settings, family, item) for item in items)

    def measure(self, materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Tables:
        calls = read_calls(materials, settings, answers)
        return tables(materials, settings, calls, Plan.of(materials.positive, calls.before, settings))

    def comparisons(self, materials: SentimentMaterials, settings: ShiftSettings) -> tuple[PairedMeasure, ...]:
        return (
            PairedMeasure("q", "leans more to negative", "leans more to positive", "words"),
            PairedMeasure("strength", "leans less, whichever way,", "leans more, whichever way,", "words"),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)

    def count_questions(self, materials: SentimentMaterials, settings: ShiftSettings, family: Family) -> int:
        """How many questions the exact design asks, which is the most that the sequential one can come to."""
        return len(materials.reviews) * (1 + materials.words.height * len(settings.repeats))

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.shift.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)

    def figures_beside(self, others: Mapping[str, Tables], tables: Mapping[str, Tables]) -> list[Figure]:
        """Association against shift, for each model that has run both tests."""
        from tacit.methods.shift.figures import figures_beside  # noqa: PLC0415 - only a report pays for altair

        return figures_beside(others, tables)


def _base(materials: SentimentMaterials, settings: ShiftSettings, family: Family, number: int) -> KeyedQuestion:
    review = materials.reviews[number]
    prompt = prompt_for(settings.prompt, family)
    keys: dict[str, str | int] = {"review": review.id, "word": BASE, "k": 0}
    return KeyedQuestion(keys, Choose(prompt, settings.label_words, context=review.text))


def _appended(
    materials: SentimentMaterials, settings: ShiftSettings, family: Family, item: tuple[int, str, int]
) -> KeyedQuestion:
    number, word, k = item
    review, text = materials.reviews[number], " ".join([*[word] * k, prompt_for(settings.prompt, family)])
    keys: dict[str, str | int] = {"review": review.id, "word": word, "k": k}
    return KeyedQuestion(keys, Choose(text, settings.label_words, context=review.text))
