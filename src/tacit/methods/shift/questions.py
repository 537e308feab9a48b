"""What the shift test asks: which label word is likelier after a review, alone and followed by a repeated word?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.sentiment.materials import Review, SentimentMaterials
from tacit.methods.sentiment.questions import prompt_for
from tacit.methods.shift.calls import NO_WORD, read_calls
from tacit.methods.shift.design import Plan, undecided_words
from tacit.methods.shift.settings import ShiftSettings
from tacit.questions import Choose

__all__ = ["count_questions", "next_questions", "questions", "reviews_alone"]


def questions(materials: SentimentMaterials, settings: ShiftSettings, family: Family) -> Iterator[KeyedQuestion]:
    """Everything (the exact design), review by review, so that a causal model reads each review only once."""
    ask = _Wording.of(settings, family)
    for review in materials.reviews:
        yield ask.alone(review)
        for word in materials.words["word"]:
            yield from (ask.with_word(review, word, k) for k in settings.repeats)


def next_questions(
    materials: SentimentMaterials, settings: ShiftSettings, family: Family, answers: pl.DataFrame | None
) -> Iterator[KeyedQuestion]:
    """The next round. In the sequential design: first the reviews alone, then more reviews for undecided words.

    Args:
        materials: The reviews and words.
        settings: The settings; `design` says whether there is more than one round.
        family: The family of the model.
        answers: All answers so far; None before the first round.
    """
    if settings.asks_everything:
        yield from questions(materials, settings, family) if answers is None else ()
        return
    ask = _Wording.of(settings, family)
    if answers is None:
        yield from reviews_alone(materials, settings, family)
        return
    calls = read_calls(materials, settings, answers)
    plan = Plan.of(materials.positive, calls.before, settings)
    words = undecided_words(calls, plan, settings)
    names = materials.words["word"].gather(words).to_list()
    for draw in plan.next_round(calls, words):
        review, k = materials.reviews[draw.review], settings.repeats[draw.repeat]
        yield from (ask.with_word(review, word, k) for word in names)


def reviews_alone(materials: SentimentMaterials, settings: ShiftSettings, family: Family) -> Iterator[KeyedQuestion]:
    """The reviews before any word is appended: the first round."""
    ask = _Wording.of(settings, family)
    return (ask.alone(review) for review in materials.reviews)


def count_questions(materials: SentimentMaterials, settings: ShiftSettings) -> int:
    """The number of questions, at most in the sequential design: it asks each review with one K."""
    repeats = len(settings.repeats) if settings.asks_everything else 1
    return len(materials.reviews) * (1 + materials.words.height * repeats)


@dataclass(frozen=True)
class _Wording:
    """How a question is worded for a model: its prompt, and the two label words to choose from."""

    prompt: str
    label_words: tuple[str, str]

    @classmethod
    def of(cls, settings: ShiftSettings, family: Family) -> _Wording:
        return cls(prompt_for(settings.prompt, family), settings.label_words)

    def alone(self, review: Review) -> KeyedQuestion:
        """The label of a review before any word is appended."""
        keys: dict[str, str | int] = {"review": review.id, "word": NO_WORD, "k": 0}
        return KeyedQuestion(keys, Choose(self.prompt, self.label_words, context=review.text))

    def with_word(self, review: Review, word: str, k: int) -> KeyedQuestion:
        """The label of a review with a word repeated k times between it and the prompt."""
        keys: dict[str, str | int] = {"review": review.id, "word": word, "k": k}
        text = " ".join([*[word] * k, self.prompt])
        return KeyedQuestion(keys, Choose(text, self.label_words, context=review.text))
