"""Turning readings at a blank into fillings and choices, alike for all families."""

from __future__ import annotations

import math

from tacit.models.hf.sequences import TokenLogprobs, TopTokens
from tacit.models.hf.tokens import Tokens, left_of_blank
from tacit.questions import Choice, Choose, Filling

__all__ = ["Candidates", "choices", "fillings"]


class Candidates:
    """The words of a question as they stand in its blank: of one token, of several, or not to be represented."""

    def __init__(self, tokens: Tokens, question: Choose, left: str | None = None) -> None:
        before = left_of_blank(question) if left is None else left
        self.pieces = {word: tokens.pieces(word, before[-1:]) for word in question.words}
        self.single = tuple(dict.fromkeys(p[0] for p in self.pieces.values() if p and len(p) == 1))
        self.spare = max((len(p) - 1 for p in self.pieces.values() if p), default=0)
        self.several = tuple(dict.fromkeys(p for p in self.pieces.values() if p and len(p) > 1))


def fillings(tokens: Tokens, reading: TopTokens, left: str) -> tuple[Filling, ...]:
    """The likeliest tokens as a reader knows them."""
    at_start = tokens.opens_text(left)
    found = enumerate(zip(reading.ids, reading.logprobs, strict=True), start=1)
    return tuple(Filling(tokens.spelling(token, at_start), math.exp(value), rank) for rank, (token, value) in found)


def choices(
    tokens: Tokens, candidates: Candidates, several: dict[tuple[int, ...], float], reading: TokenLogprobs
) -> tuple[Choice, ...]:
    """A choice a word, in the order asked.

    A word of several tokens takes the rank that its probability would have among all single tokens.
    """
    single = zip(candidates.single, reading.logprobs, reading.ranks, strict=True)
    scored: dict[tuple[int, ...], tuple[float, int]] = {(token,): (value, rank) for token, value, rank in single}
    ranked = zip(several.items(), reading.other_ranks, strict=True)
    scored |= {pieces: (value, rank) for (pieces, value), rank in ranked}
    return tuple(_choice(tokens, word, pieces, scored) for word, pieces in candidates.pieces.items())


def _choice(
    tokens: Tokens, word: str, pieces: tuple[int, ...] | None, scored: dict[tuple[int, ...], tuple[float, int]]
) -> Choice:
    if pieces is None:
        return Choice(word, None, None, ())
    logprob, rank = scored[pieces]
    return Choice(word, math.exp(logprob), rank, tokens.names(pieces))
