"""Sequences of tokens read by a server instead of a network in this process."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq

from tacit.errors import ModelError
from tacit.models.endpoints.dialect import Dialect
from tacit.models.endpoints.loop import as_completed, iterate
from tacit.models.hf.sequences import Reading, Sequence, TargetLogprobs, Targets, TokenLogprobs, Top, Wanted

__all__ = ["EndpointNetwork"]


class EndpointNetwork:
    """Asks a server for the reading of each sequence.

    Attributes:
        dialect: Speaks to the server.
        concurrency: How many sequences are under way at once.
        ranked: How many of the most likely tokens are asked for, to rank words among them.
    """

    def __init__(self, dialect: Dialect, concurrency: int, ranked: int) -> None:
        self.dialect = dialect
        self.concurrency = concurrency
        self.ranked = ranked

    def run(self, sequences: Seq[Sequence]) -> Iterator[tuple[int, Reading]]:
        """Run sequences, and yield the index and the reading of each as soon as it is there."""
        return iterate(as_completed(self._read, sequences, self.concurrency))

    async def _read(self, sequence: Sequence) -> Reading:
        read = sequence.read
        if isinstance(read, Top):
            return await self.dialect.top(sequence.ids, read.count)
        if isinstance(read, Targets):
            first = read.positions[0] + 1
            return TargetLogprobs(await self.dialect.score((*sequence.ids, read.ids[-1]), first), [])
        if isinstance(read, Wanted):
            return await self._wanted(sequence.ids, read)
        raise ModelError("A server gives probabilities, but no vectors and no labels.")

    async def _wanted(self, ids: tuple[int, ...], read: Wanted) -> TokenLogprobs:
        """Words are looked up among the most likely tokens, and scored one by one where they are not there."""
        top = await self.dialect.top(ids, self.ranked)
        known = dict(zip(top.ids, top.logprobs, strict=True))
        for token in read.ids:
            if token not in known:
                known[token] = (await self.dialect.score((*ids, token), len(ids)))[0]
        values = [known[token] for token in read.ids]
        is_everything = len(top.ids) < self.ranked
        ranks = [_rank(value, top.logprobs, is_everything) for value in (*values, *read.others)]
        return TokenLogprobs(values, ranks[: len(values)], ranks[len(values) :])


def _rank(value: float, highest: list[float], is_everything: bool) -> int | None:
    """One more than the number of tokens that are more likely; None below the most likely tokens that are known."""
    return 1 + sum(other > value for other in highest) if is_everything or value >= highest[-1] else None
