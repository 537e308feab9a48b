"""What the association test asks: how likely is each word at the blank after each review?"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.methods.association.settings import AssociationSettings
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.sentiment.materials import SentimentMaterials
from tacit.methods.sentiment.questions import prompt_for
from tacit.questions import Choose

__all__ = ["questions"]


def questions(materials: SentimentMaterials, settings: AssociationSettings, family: Family) -> Iterator[KeyedQuestion]:
    """One question per review, about all words at once."""
    words, prompt = tuple(materials.words["word"]), prompt_for(settings.prompt, family)
    for review in materials.reviews:
        yield KeyedQuestion({"review": review.id}, Choose(prompt, words, context=review.text))
