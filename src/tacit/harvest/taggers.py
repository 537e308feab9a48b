"""Taggers that decide whether a sentence ends in an adjective: spaCy where installed, else a word list."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

__all__ = ["ListTagger", "SpacyTagger", "Tagger", "find_tagger"]

SPACY_MODELS = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")
_LISTS = Path(__file__).parent
_ADJECTIVE_ENDING = re.compile(r"(?:.{2,}(?:ful|less|ous|able|ible|ish|esque|ical)|.{3,}(?:ive|ic|ary|ant|al)|un.+ed)$")


class Tagger(Protocol):
    """Decides whether a sentence ends in an adjective; `name` is part of the result of a harvest."""

    name: str

    def ends_in_adjective(self, sentence: str) -> bool:
        """Whether the word before the final period is an adjective in this sentence."""


class ListTagger:
    """A fallback: a list of adjectives, a list of words that only look like adjectives, and suffixes for the rest.

    Participles (-ed, -ing) count only if they are listed, because suffixes cannot tell a verb ("was never arrested")
    from an adjective ("was never bored"). The README of the probe gives its precision on a hand-labeled sample.
    """

    name = "list and suffixes"

    def ends_in_adjective(self, sentence: str) -> bool:
        words = re.findall(r"[a-z]+(?:-[a-z]+)*", sentence.lower())
        return bool(words) and is_listed_adjective(words[-1])


class SpacyTagger:
    """The part of speech according to a spaCy model."""

    def __init__(self, model: str) -> None:
        self.name = f"spaCy {model}"
        self._parse = import_module("spacy").load(model, exclude=["ner"])

    def ends_in_adjective(self, sentence: str) -> bool:
        words = [token for token in self._parse(sentence) if not token.is_punct and not token.is_space]
        return bool(words) and str(words[-1].pos_) == "ADJ"


def find_tagger() -> Tagger:
    """A spaCy tagger with the largest English model that is installed, else the word list."""
    try:
        spacy_util = import_module("spacy.util")
    except ImportError:
        return ListTagger()
    model = next((model for model in SPACY_MODELS if spacy_util.is_package(model)), None)
    return SpacyTagger(model) if model else ListTagger()


def is_listed_adjective(word: str) -> bool:
    """Whether the word lists and suffixes make a word an adjective, regardless of the sentence."""
    if word in _read_list("adjectives.txt"):
        return True
    if word in _read_list("not-adjectives.txt") or word.endswith("ly"):
        return False
    return bool(_ADJECTIVE_ENDING.match(word))


@cache
def _read_list(name: str) -> frozenset[str]:
    return frozenset((_LISTS / name).read_text(encoding="utf-8").split())
