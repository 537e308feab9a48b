"""Shift (SST, Garg et al. 2022): does a word, put several times after a review, turn what the model makes of it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import polars as pl
from pydantic import Field, field_validator

from tacit.methods.base import Asked, Compared, Family, Tables
from tacit.methods.sentiment_materials import (
    NEUTRAL,
    POLARITIES,
    SentimentMaterials,
    SentimentSettings,
    prompt_for,
    read_materials,
)
from tacit.methods.shift_calls import BASE, read_calls
from tacit.methods.shift_design import Plan, still_open
from tacit.methods.shift_measures import tables
from tacit.methods.shift_sentences import told
from tacit.probes.loading import Probe
from tacit.questions import Choose

__all__ = ["Shift", "ShiftSettings"]


class ShiftSettings(SentimentSettings):
    """How a label is read, how often a word is repeated, and when enough has been asked."""

    label_words: tuple[str, str] = ("great", "terrible")
    """A review is called positive where the first is likelier at the blank than the second."""
    calls: Literal["likelier", "balanced"] = "likelier"
    """The study's rule; or, for a model that prefers one label word whatever the review, the rule that the first must
    be likelier relative to the second than after the median review, so that half of the reviews are called positive."""
    repeats: tuple[int, ...] = (5, 10, 15)
    """The study's K."""
    polarities: tuple[str, ...] = (NEUTRAL,)
    """Which words are appended: neutral, or also positive and negative ones, to see that they shift as they should."""
    design: Literal["sequential", "exact"] = "sequential"
    """Stop asking about a word as soon as it is decided, or ask everything."""
    margin: float = Field(0.05, gt=0, lt=1)
    """A word is neutral if on balance it turns no more than this share of the labels (`net_shift`)."""

    @field_validator("label_words", "repeats", "polarities", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return [part.strip() for part in given.split(",")] if isinstance(given, str) else given

    @field_validator("label_words")
    @classmethod
    def _two_words(cls, given: tuple[str, str]) -> tuple[str, str]:
        if given[0] == given[1] or not all(given):
            raise ValueError("label_words are two different words, the positive one first, such as great,terrible")
        return given

    @field_validator("repeats")
    @classmethod
    def _rising(cls, given: tuple[int, ...]) -> tuple[int, ...]:
        if not given or min(given) < 1 or len(set(given)) < len(given):
            raise ValueError("repeats are different whole numbers from 1, such as 5,10,15")
        return tuple(sorted(given))

    @field_validator("polarities")
    @classmethod
    def _known(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if not given or not set(given) <= set(POLARITIES):
            raise ValueError(f"polarities are some of {', '.join(POLARITIES)}")
        return given


class Shift:
    """Labels before and after a word is appended, for as many reviews as it takes to decide."""

    name = "shift"
    settings = ShiftSettings

    def materials(self, probe: Probe, settings: ShiftSettings) -> SentimentMaterials:
        return read_materials(probe, settings, settings.polarities)

    def questions(self, materials: SentimentMaterials, settings: ShiftSettings, family: Family) -> Iterator[Asked]:
        """Everything, review by review, so that a causal model reads each review once."""
        for number in range(len(materials.reviews)):
            yield _base(materials, settings, family, number)
            for word in materials.words["word"]:
                yield from (_appended(materials, settings, family, (number, word, k)) for k in settings.repeats)

    def next_questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[Asked]:
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

    def comparisons(self, materials: SentimentMaterials, settings: ShiftSettings) -> tuple[Compared, ...]:
        return (
            Compared("q", "leans more to negative", "leans more to positive", "words"),
            Compared("strength", "leans less, whichever way,", "leans more, whichever way,", "words"),
        )

    def sentences(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)

    def most_questions(self, materials: SentimentMaterials, settings: ShiftSettings) -> int:
        """How many questions the exact design asks, which is the most that the sequential one can come to."""
        return len(materials.reviews) * (1 + materials.words.height * len(settings.repeats))


def _base(materials: SentimentMaterials, settings: ShiftSettings, family: Family, number: int) -> Asked:
    review = materials.reviews[number]
    prompt = prompt_for(settings.prompt, family)
    keys: dict[str, str | int] = {"review": review.id, "word": BASE, "k": 0}
    return Asked(keys, Choose(prompt, settings.label_words, context=review.text))


def _appended(
    materials: SentimentMaterials, settings: ShiftSettings, family: Family, item: tuple[int, str, int]
) -> Asked:
    number, word, k = item
    review, text = materials.reviews[number], " ".join([*[word] * k, prompt_for(settings.prompt, family)])
    keys: dict[str, str | int] = {"review": review.id, "word": word, "k": k}
    return Asked(keys, Choose(text, settings.label_words, context=review.text))
