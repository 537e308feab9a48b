"""From the readings at a blank to fillings and choices, for all families."""

from __future__ import annotations

import math

from tacit.models.hf.sequences import Pieces, TokenLogprobs, TopTokens
from tacit.models.hf.tokens import Tokens, left_of_blank
from tacit.questions import Choice, Choose, Filling

__all__ = ["Candidates", "choices", "fillings"]


class Candidates:
    """The words of a question as tokens in its blank.

    Attributes:
        pieces: The tokens of each word; None if the model cannot represent it there.
        single: The distinct tokens of the words that are a single token.
        multi: The distinct words of several tokens.
        spare: How many more positions than one the longest word needs.
    """

    def __init__(self, tokens: Tokens, question: Choose, left: str | None = None) -> None:
        before = left_of_blank(question) if left is None else left
        self.pieces = {word: tokens.pieces(word, before[-1:]) for word in question.words}
        self.single = tuple(dict.fromkeys(p[0] for p in self.pieces.values() if p and len(p) == 1))
        self.spare = max((len(p) - 1 for p in self.pieces.values() if p), default=0)
        self.multi = tuple(dict.fromkeys(p for p in self.pieces.values() if p and len(p) > 1))


def fillings(tokens: Tokens, reading: TopTokens, left: str) -> tuple[Filling, ...]:
    """The most likely tokens as a reader knows them."""
    at_start = tokens.starts_text(left)
    ranked = enumerate(zip(reading.ids, reading.logprobs, strict=True), start=1)
    return tuple(Filling(tokens.spelling(token, at_start), math.exp(value), rank) for rank, (token, value) in ranked)


def choices(
    tokens: Tokens, candidates: Candidates, multi: dict[Pieces, float], reading: TokenLogprobs
) -> tuple[Choice, ...]:
    """One choice per word, in the order asked.

    Args:
        tokens: Spells the tokens.
        candidates: The words.
        multi: The log-probability of each word of several tokens; its rank is that among all single tokens.
        reading: The log-probabilities of the words of one token, and all ranks.
    """
    single = zip(candidates.single, reading.logprobs, reading.ranks, strict=True)
    scored: dict[Pieces, tuple[float, int | None]] = {(token,): (value, rank) for token, value, rank in single}
    ranked = zip(multi.items(), reading.other_ranks, strict=True)
    scored |= {pieces: (value, rank) for (pieces, value), rank in ranked}
    return tuple(_choice(tokens, word, pieces, scored) for word, pieces in candidates.pieces.items())


def _choice(tokens: Tokens, word: str, pieces: Pieces | None, scored: dict[Pieces, tuple[float, int | None]]) -> Choice:
    if pieces is None:
        return Choice(word, None, None, ())
    logprob, rank = scored[pieces]
    return Choice(word, math.exp(logprob), rank, tokens.names(pieces))
