"""Is the last word of a sentence an adjective? By spaCy where a model is installed, else by a list and suffixes."""

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
    """Says whether the last word of a sentence is an adjective; `name` goes into the harvest's record."""

    name: str

    def ends_in_adjective(self, sentence: str) -> bool:
        """Whether the word before the final full stop is an adjective there."""


class ListTagger:
    """Without a tagger: a list of adjectives, a list of words that only look like one, and suffixes for the rest.

    Participles (-ed, -ing) count only if they are listed, since "was never arrested" is a verb and "was never bored" an
    adjective, and no suffix tells them apart. Its precision on a hand-labelled sample is in the README of the probe.
    """

    name = "list and suffixes"

    def ends_in_adjective(self, sentence: str) -> bool:
        words = re.findall(r"[a-z]+(?:-[a-z]+)*", sentence.lower())
        return bool(words) and is_listed_adjective(words[-1])


class SpacyTagger:
    """The part of speech as a spaCy model sees it: the last word is ADJ."""

    def __init__(self, model: str) -> None:
        self.name = f"spaCy {model}"
        self._parse = import_module("spacy").load(model, exclude=["ner"])

    def ends_in_adjective(self, sentence: str) -> bool:
        words = [token for token in self._parse(sentence) if not token.is_punct and not token.is_space]
        return bool(words) and str(words[-1].pos_) == "ADJ"


def find_tagger() -> Tagger:
    """spaCy with the largest of its English models that is installed, else the list."""
    try:
        installed = import_module("spacy.util")
    except ImportError:
        return ListTagger()
    found = next((model for model in SPACY_MODELS if installed.is_package(model)), None)
    return SpacyTagger(found) if found else ListTagger()


def is_listed_adjective(word: str) -> bool:
    """What the fallback says of a word, whatever stands before it."""
    if word in _listed("adjectives.txt"):
        return True
    if word in _listed("not-adjectives.txt") or word.endswith("ly"):
        return False
    return bool(_ADJECTIVE_ENDING.match(word))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset((_LISTS / name).read_text(encoding="utf-8").split())
