"""Batches of sequences of exactly equal length: no padding, so no score can depend on its batch neighbors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Sequence as Seq

from tacit.models.hf.sequences import Sequence, Targets

__all__ = ["TOKEN_BUDGET", "equal_length_batches"]

# Measured on two cores: from 500 to 1,000 tokens the matrix products run at their peak; more only costs memory.
TOKEN_BUDGET = 768


def equal_length_batches(sequences: Seq[Sequence], budget: int = TOKEN_BUDGET) -> Iterator[list[int]]:
    """Group sequences into batches of equal shape.

    Args:
        sequences: The sequences to run.
        budget: How many tokens a batch may hold.

    Yields:
        The indices of the sequences in one batch; the longest come first, so that a lack of memory shows at the start.
    """
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, sequence in enumerate(sequences):
        groups[_shape(sequence)].append(index)
    for shape in sorted(groups, key=lambda shape: (shape[0], shape[1]), reverse=True):
        members = groups[shape]
        size = max(1, budget // max(1, shape[0] + shape[1]))  # type: ignore[operator]
        for start in range(0, len(members), size):
            yield members[start : start + size]


def _shape(sequence: Sequence) -> tuple[object, ...]:
    read = sequence.read
    attended = isinstance(read, Targets) and read.attended
    return len(sequence.ids), len(sequence.decoder), type(read).__name__, bool(sequence.types), attended
