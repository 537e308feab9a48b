"""What goes through a network, and what is read off it: the language between the families and the arithmetic."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias

from tacit.questions import Answer

__all__ = [
    "Conversation",
    "Labels",
    "Read",
    "Reading",
    "Sequence",
    "Span",
    "TargetLogprobs",
    "Targets",
    "TokenLogprobs",
    "Top",
    "TopTokens",
    "Values",
    "Wanted",
]


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` likeliest tokens at a position."""

    position: int
    count: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """These tokens at a position. `ranked` adds their ranks, and those that log-probabilities `others` would take."""

    position: int
    ids: tuple[int, ...]
    ranked: bool = False
    others: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Targets:
    """One token at each of several positions; `attended` adds the mean attention that each position receives."""

    positions: tuple[int, ...]
    ids: tuple[int, ...]
    attended: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """The mean vector of some positions in the last layer."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """The probabilities of a classifier's labels."""


Read: TypeAlias = Top | Wanted | Targets | Span | Labels


@dataclass(frozen=True, slots=True)
class Sequence:
    """One row of a batch. The first `prefix` tokens are shared with others; `decoder` is for seq2seq models."""

    ids: tuple[int, ...]
    read: Read
    types: tuple[int, ...] = ()
    prefix: int = 0
    decoder: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TopTokens:
    """What `Top` reads, likeliest first."""

    ids: list[int]
    logprobs: list[float]


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """What `Wanted` reads; a rank is one more than the number of tokens that are strictly likelier."""

    logprobs: list[float]
    ranks: list[int]
    other_ranks: list[int]


@dataclass(frozen=True, slots=True)
class TargetLogprobs:
    """What `Targets` reads; the attention is empty where it was not asked for."""

    logprobs: list[float]
    attention: list[float]


@dataclass(frozen=True, slots=True)
class Values:
    """What `Span` and `Labels` read."""

    values: list[float]


Reading: TypeAlias = TopTokens | TokenLogprobs | TargetLogprobs | Values

# How a family answers a question: it hands out the sequences it needs, is given what was read off them, and goes on
# until it returns the answer. So one engine can batch the sequences of thousands of questions that are under way.
Conversation: TypeAlias = Generator[list[Sequence], list[Reading], Answer]
