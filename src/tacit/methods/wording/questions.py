"""What is asked: all label words at once after each review in every prompt, alone and followed by a repeated word."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.sentiment.questions import prompt_for
from tacit.methods.wording.materials import WordingMaterials
from tacit.methods.wording.settings import WordingSettings
from tacit.questions import Choose

__all__ = ["NO_WORD", "count_questions", "questions", "reviews_alone"]

NO_WORD = ""
"""The key `word` of a question about a review alone."""


def questions(materials: WordingMaterials, settings: WordingSettings, family: Family) -> Iterator[KeyedQuestion]:
    """Review by review, so that a causal model reads each review only once."""
    words = materials.words["word"].to_list()
    for review in materials.reviews:
        for prompt in materials.prompts:
            asked = prompt_for(prompt, family)
            candidates = tuple(dict.fromkeys([*materials.label_words, *words]))
            yield KeyedQuestion(_keys(prompt, review.id, NO_WORD), Choose(asked, candidates, context=review.text))
            for word in words:
                text = " ".join([*[word] * settings.copies, asked])
                question = Choose(text, materials.label_words, context=review.text)
                yield KeyedQuestion(_keys(prompt, review.id, word), question)


def reviews_alone(materials: WordingMaterials, settings: WordingSettings, family: Family) -> Iterator[KeyedQuestion]:
    """The reviews before any word is appended, in every prompt."""
    return (asked for asked in questions(materials, settings, family) if asked.keys["word"] == NO_WORD)


def count_questions(materials: WordingMaterials) -> int:
    """The number of questions; label words cost none of their own."""
    return len(materials.reviews) * len(materials.prompts) * (1 + materials.words.height)


def _keys(prompt: str, review: str, word: str) -> dict[str, str | int]:
    return {"prompt": prompt, "review": review, "word": word}
