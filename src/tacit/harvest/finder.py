"""Find "is ADVERB ADJECTIVE." at the end of a sentence, with a context of one or two sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tacit.harvest.sentences import split_sentences
from tacit.harvest.taggers import Tagger
from tacit.methods.contrast.materials import Word
from tacit.questions import BLANK

__all__ = ["LONGEST", "SHORTEST", "Finder", "Match"]

SHORTEST, LONGEST = 10, 40
"""The length of a context in words."""

BE = r"(?:\b(?:is|are|was|were|am)|(?<=\w)['’](?:s|re|m))"
_FORMULA = re.compile(r"^[=+\-@]")
_NOISE = re.compile(r"https?:|www\.|[<>{}|\\^~*_#\[\]]|&\w+;")


@dataclass(frozen=True, slots=True)
class Match:
    """A context whose blank replaces the word; the adjective is in lower case."""

    text: str
    word: str
    adjective: str


class Finder:
    """Finds the words of a contrast before a final adjective."""

    def __init__(self, words: dict[str, Word], tagger: Tagger, *, any_verb: bool = False) -> None:
        """Prepare the search.

        Args:
            words: The words to look for.
            tagger: Decides whether the last word of a sentence is an adjective.
            any_verb: Accept any word before the match. By default it must be a form of "be", because only there can
                "not" replace the adverb without other changes; the study rewrote the other sentences by hand.
        """
        names = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        before = r"\s" if any_verb else rf"{BE}\s+"
        self._ending = re.compile(rf"{before}(?P<word>{names})\s+(?P<adjective>[A-Za-z]{{2,}})\.$")
        self._tagger = tagger
        self._rivals = {
            name: re.compile(rf"\b(?:{'|'.join(map(re.escape, word.rivals))})\b", re.I) for name, word in words.items()
        }

    def matches(self, text: str) -> Iterator[Match]:
        """All matches in a text, in their order."""
        previous = ""
        for sentence in split_sentences(text):
            ending = self._ending.search(sentence)
            if ending:
                context = self._context(previous, sentence, ending["word"])
                if context and self._tagger.ends_in_adjective(sentence):
                    yield Match(_blank_last(context, ending["word"]), ending["word"], ending["adjective"].lower())
            previous = sentence

    def _context(self, previous: str, sentence: str, word: str) -> str | None:
        """Two sentences if they fit, otherwise one; None where neither has 10 to 40 clean words."""
        for context in (f"{previous} {sentence}".strip(), sentence):
            if SHORTEST <= len(context.split()) <= LONGEST and self._is_clean(context, word):
                return context
        return None

    def _is_clean(self, context: str, word: str) -> bool:
        # A rival elsewhere in the context could be copied by the model; markup and formulas are not sentences.
        return not (_NOISE.search(context) or _FORMULA.match(context) or self._rivals[word].search(context))


def _blank_last(context: str, word: str) -> str:
    start = context.rindex(f" {word} ") + 1
    return f"{context[:start]}{BLANK}{context[start + len(word) :]}"
