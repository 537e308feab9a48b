"""What goes through a network and what comes out: sequences of tokens with a request, and the readings they get."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tacit.questions import Answer

__all__ = [
    "Conversation",
    "Labels",
    "Pieces",
    "Read",
    "Reading",
    "Runner",
    "Sequence",
    "Span",
    "TargetLogprobs",
    "Targets",
    "TokenLogprobs",
    "Top",
    "TopTokens",
    "Values",
    "Wanted",
    "WordScores",
]


@dataclass(frozen=True, slots=True)
class Top:
    """Request the `count` most likely tokens at a position."""

    position: int
    count: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request the log-probabilities of given tokens at a position.

    Attributes:
        position: Where to read.
        ids: The tokens.
        ranked: Also read the rank of each token in the whole vocabulary.
        others: Log-probabilities computed elsewhere whose ranks are read too.
    """

    position: int
    ids: tuple[int, ...]
    ranked: bool = False
    others: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Targets:
    """Request the log-probability of one token at each of several positions.

    Attributes:
        positions: Where to read.
        ids: The token at each position.
        attended: Also read the mean attention that each position receives.
    """

    positions: tuple[int, ...]
    ids: tuple[int, ...]
    attended: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Request the mean vector of some positions in the last layer."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """Request the probabilities of a classifier's labels."""


Read: TypeAlias = Top | Wanted | Targets | Span | Labels


@dataclass(frozen=True, slots=True)
class Sequence:
    """One row of a batch.

    Attributes:
        ids: The tokens that the model sees; in a seq2seq model, those of the encoder.
        read: What to read.
        types: The segment of each token, for models that have segments.
        prefix: How many tokens at the start are shared with other sequences.
        decoder: The decoder's tokens, in a seq2seq model.
    """

    ids: tuple[int, ...]
    read: Read
    types: tuple[int, ...] = ()
    prefix: int = 0
    decoder: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TopTokens:
    """The reading of `Top`, the most likely token first."""

    ids: list[int]
    logprobs: list[float]


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """The reading of `Wanted`; a rank is one more than the number of strictly more likely tokens, None if unknown."""

    logprobs: list[float]
    ranks: Seq[int | None]
    other_ranks: Seq[int | None]


@dataclass(frozen=True, slots=True)
class TargetLogprobs:
    """The reading of `Targets`; `attention` is empty unless it was requested."""

    logprobs: list[float]
    attention: list[float]


@dataclass(frozen=True, slots=True)
class Values:
    """The reading of `Span` (a vector) and `Labels` (one probability per label)."""

    values: list[float]


Reading: TypeAlias = TopTokens | TokenLogprobs | TargetLogprobs | Values


class Runner(Protocol):
    """Reads sequences: a network in this process, or a server."""

    def run(self, sequences: Seq[Sequence]) -> Iterator[tuple[int, Reading]]:
        """Run sequences, and yield the index and the reading of each as soon as it is there."""


# How a family answers one question: a generator that yields the sequences it needs, receives their readings, may yield
# more sequences that depend on them, and finally returns the answer. It never runs the network itself, so that the
# scheduler can put the sequences of thousands of questions into the same batches.
Conversation: TypeAlias = Generator[list[Sequence], list[Reading], Answer]

# A word as the tokens it becomes in its place, and a part of a conversation that scores words.
Pieces: TypeAlias = tuple[int, ...]
WordScores: TypeAlias = Generator[list[Sequence], list[Reading], dict[Pieces, float]]
