"""Batches of sentences of one length, in an order that the seed fixes, and the blanks put into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from tacit.errors import TacitError

__all__ = ["batches", "blanked"]

MASK = 4
FIRST_WORD = 5


def batches(sequences: Sequence[Sequence[int]], tokens: int, seed: int, start: int = 0) -> Iterator[torch.Tensor]:
    """Endless batches, epoch after epoch, from number `start` on.

    All sequences of a batch have one length, so nothing is padded and no attention mask is needed. What does not fill a
    batch is left out of that epoch; the next epoch draws again.
    """
    epoch = passed = 0
    while True:
        order = _epoch(sequences, tokens, np.random.default_rng([seed, epoch]))
        if not order:
            raise TacitError(f"{len(sequences)} sequences do not fill one batch of {tokens} tokens: give more text.")
        for rows in order[max(0, start - passed) :]:
            yield torch.tensor([sequences[row] for row in rows])
        passed += len(order)
        epoch += 1


def blanked(
    batch: torch.Tensor, share: float, vocabulary: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """The batch with a share of its tokens hidden, and where they were.

    Of the hidden tokens 80 % become [MASK], 10 % another token, and 10 % stay: the model must also say something about
    words that it can see, which is what scores of unmasked sentences need.
    """
    hidden = (torch.rand(batch.shape, generator=generator) < share) & (batch >= FIRST_WORD)
    kind = torch.rand(batch.shape, generator=generator)
    others = torch.randint(FIRST_WORD, vocabulary, batch.shape, generator=generator)
    shown = torch.where(hidden & (kind < 0.8), torch.full_like(batch, MASK), batch)
    return torch.where(hidden & (kind >= 0.9), others, shown), hidden


def _epoch(sequences: Sequence[Sequence[int]], tokens: int, draw: np.random.Generator) -> list[list[int]]:
    by_length: dict[int, list[int]] = {}
    for row in draw.permutation(len(sequences)).tolist():
        by_length.setdefault(len(sequences[row]), []).append(row)
    batches_of_rows: list[list[int]] = []
    for length, rows in by_length.items():
        size = max(1, tokens // length)
        batches_of_rows += [rows[i : i + size] for i in range(0, len(rows) - size + 1, size)]
    return [batches_of_rows[i] for i in draw.permutation(len(batches_of_rows)).tolist()]
