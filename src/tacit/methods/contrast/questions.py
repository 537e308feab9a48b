"""What is asked of each sentence, with context and without: the word and its rivals, and the likeliest words."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials
from tacit.methods.contrast.settings import ContrastSettings
from tacit.questions import BLANK, Choose, Fill, split_blank

__all__ = ["PAIR", "TOP", "questions"]

PAIR, TOP = "pair", "top"
"""The values of the key `asked`: the word and its rivals, or the likeliest words; no key where only pairs are asked."""


def questions(materials: ContrastMaterials, settings: ContrastSettings, family: Family) -> Iterator[KeyedQuestion]:
    """For each item one question about its sentence, and one about its bare form; twice with the likeliest words."""
    next_word_only = family == "causal" and settings.causal == "next"
    for item in materials.items:
        word = materials.words[item.word]
        for context, text in ((WITH, item.text), (WITHOUT, item.bare if settings.bare else "")):
            if text:
                keys: dict[str, str | int] = {"item": item.id, "word": item.word, "context": context}
                blanked = f"{split_blank(text)[0]}{BLANK}" if next_word_only else text
                pair = Choose(blanked, word.forms + word.rivals)
                if not settings.fillings:
                    yield KeyedQuestion(keys, pair)
                    continue
                yield KeyedQuestion({**keys, "asked": PAIR}, pair)
                yield KeyedQuestion({**keys, "asked": TOP}, Fill(blanked, settings.fillings))
