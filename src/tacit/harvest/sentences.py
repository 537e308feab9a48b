"""Split a text into sentences: after . ! ? before a capital or digit, but not after initials and abbreviations."""

from __future__ import annotations

import re

__all__ = ["split_sentences"]

_END = re.compile(r"""(?<=[.!?])["'”’)\]]*\s+(?=["'“‘(\[]*[A-Z0-9])""")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Gen|Sen|Rep|Gov|Capt|Sgt|Col|Lt|Rev|Hon|vs|etc|e\.g|i\.e|cf|"
    r"approx|Inc|Ltd|Co|Corp|No|Vol|Fig|al|U\.S|U\.K|a\.m|p\.m|Jan|Feb|Mar|Apr|Aug|Sept|Oct|Nov|Dec)\.$"
)
_SPACES = re.compile(r"\s+")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, with runs of white space reduced to one space."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.start()]
        if _ABBREVIATION.search(piece):
            continue
        sentences.append(text[start : end.end()])
        start = end.end()
    sentences.append(text[start:])
    normalized = (_SPACES.sub(" ", sentence).strip() for sentence in sentences)
    return [sentence for sentence in normalized if sentence]
