"""What is asked: how likely the word and its rivals are in the blank of each sentence, with context and without."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials
from tacit.methods.contrast.settings import ContrastSettings
from tacit.questions import BLANK, Choose, split_blank

__all__ = ["questions"]


def questions(materials: ContrastMaterials, settings: ContrastSettings, family: Family) -> Iterator[KeyedQuestion]:
    """For each item one question about its sentence, and one about its bare form where there is one."""
    next_word_only = family == "causal" and settings.causal == "next"
    for item in materials.items:
        word = materials.words[item.word]
        for context, text in ((WITH, item.text), (WITHOUT, item.bare if settings.bare else "")):
            if text:
                keys: dict[str, str | int] = {"item": item.id, "word": item.word, "context": context}
                blanked = f"{split_blank(text)[0]}{BLANK}" if next_word_only else text
                yield KeyedQuestion(keys, Choose(blanked, word.forms + word.rivals))
