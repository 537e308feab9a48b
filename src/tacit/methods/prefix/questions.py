"""What the prefix method asks: the label of each text on its own, and after each region's sentence."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.errors import ModelError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.questions import Classify, compose

__all__ = ["NO_REGION", "questions"]

NO_REGION = ""


def questions(materials: PrefixMaterials, family: Family) -> Iterator[KeyedQuestion]:
    """Yield all questions: first the texts on their own, then region by region."""
    if family != "classifier":
        raise ModelError(
            f"This probe needs a text classifier, but the model is {family}. Run the probe regional on it."
        )
    for number, text in enumerate(materials.texts):
        yield KeyedQuestion({"region": NO_REGION, "text": number}, Classify(text.text))
    for region in materials.regions:
        prefix, _ = compose(materials.prefix, region=region.name)
        for number, text in enumerate(materials.texts):
            yield KeyedQuestion({"region": region.key, "text": number}, Classify(f"{prefix} {text.text}"))
