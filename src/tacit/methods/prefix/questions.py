"""What the prefix method asks: the label of each text on its own, and after each region's sentence."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.errors import ModelError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.questions import Classify

__all__ = ["BASELINE", "NO_REGION", "questions"]

NO_REGION = ""
BASELINE = "[no region named]"
"""What the answers call the sentence that names no region, where others have a region's key."""


def questions(materials: PrefixMaterials, family: Family) -> Iterator[KeyedQuestion]:
    """Yield all questions: the texts on their own, region by region, and after the sentence that names no region."""
    if family != "classifier":
        raise ModelError(
            f"This probe needs a text classifier, but the model is {family}. `tacit tune classifier` makes one of it."
        )
    for number, text in enumerate(materials.texts):
        yield KeyedQuestion({"region": NO_REGION, "text": number}, Classify(text.text))
    for index in materials.indices:
        key, sentence = materials.tree.regions[index].key, materials.sentence(index)
        yield from _prefixed(materials, key, sentence)
    if materials.baseline:
        yield from _prefixed(materials, BASELINE, materials.baseline)


def _prefixed(materials: PrefixMaterials, key: str, sentence: str) -> Iterator[KeyedQuestion]:
    for number, text in enumerate(materials.texts):
        yield KeyedQuestion({"region": key, "text": number}, Classify(f"{sentence} {text.text}"))
