"""Finding "is ADVERB ADJECTIVE." at the end of a sentence, with a context of one or two sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tacit.harvest.splitting import split_sentences
from tacit.harvest.tagging import Tagger
from tacit.methods.contrast.materials import Word
from tacit.questions import BLANK

__all__ = ["LONGEST", "SHORTEST", "Finder", "Found"]

SHORTEST, LONGEST = 10, 40
BE = r"(?:\b(?:is|are|was|were|am)|(?<=\w)['’](?:s|re|m))"
_FORMULA = re.compile(r"^[=+\-@]")
_NOISE = re.compile(r"https?:|www\.|[<>{}|\\^~*_#\[\]]|&\w+;")


@dataclass(frozen=True, slots=True)
class Found:
    """A context whose blank stood for the word; the adjective is in lower case."""

    text: str
    word: str
    adjective: str


class Finder:
    """Looks for the words of a contrast before a final adjective.

    Unless `any_verb`, a form of "be" must stand before the word, because only there "not" can take its place without
    changing anything else; the study rewrote by hand the sentences where it could not.
    """

    def __init__(self, words: dict[str, Word], tagger: Tagger, *, any_verb: bool = False) -> None:
        names = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        before = r"\s" if any_verb else rf"{BE}\s+"
        self._ending = re.compile(rf"{before}(?P<word>{names})\s+(?P<adjective>[A-Za-z]{{2,}})\.$")
        self._tagger = tagger
        self._against = {
            name: re.compile(rf"\b(?:{'|'.join(map(re.escape, word.rivals))})\b", re.I) for name, word in words.items()
        }

    def found_in(self, text: str) -> Iterator[Found]:
        """What a text holds, in its order."""
        before = ""
        for sentence in split_sentences(text):
            match = self._ending.search(sentence)
            if match:
                context = self._context(before, sentence, match["word"])
                if context and self._tagger.ends_in_adjective(sentence):
                    yield Found(_blanked(context, match["word"]), match["word"], match["adjective"].lower())
            before = sentence

    def _context(self, before: str, sentence: str, word: str) -> str | None:
        """Two sentences if they fit, else one; None where neither has 10 to 40 clean words."""
        for context in (f"{before} {sentence}".strip(), sentence):
            if SHORTEST <= len(context.split()) <= LONGEST and self._is_clean(context, word):
                return context
        return None

    def _is_clean(self, context: str, word: str) -> bool:
        # A word that is in the context already would tie with itself; markup and formulas are no sentences.
        return not (_NOISE.search(context) or _FORMULA.match(context) or self._against[word].search(context))


def _blanked(context: str, word: str) -> str:
    start = context.rindex(f" {word} ") + 1
    return f"{context[:start]}{BLANK}{context[start + len(word) :]}"
