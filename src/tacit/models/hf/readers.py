"""From the vectors of a batch to readings: one function per kind of reading."""

from __future__ import annotations

import torch

from tacit.errors import ModelError
from tacit.models.hf.head import Head
from tacit.models.hf.sequences import (
    Reading,
    Sequence,
    Span,
    TargetLogprobs,
    Targets,
    TokenLogprobs,
    Top,
    TopTokens,
    Values,
    Wanted,
)

__all__ = ["read_spans", "read_targets", "read_top", "read_wanted", "require_finite"]

# Up to this many values, counting the more likely tokens is cheaper than sorting the vocabulary once.
_MAX_COUNTED = 16


def read_top(head: Head, vectors: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The most likely tokens of each row."""
    counts = [sequence.read.count for sequence in batch if isinstance(sequence.read, Top)]
    readings: list[Reading] = []
    for start, hidden in head.chunks(vectors):
        logits = head.logits(hidden)
        chunk_counts = counts[start : start + len(hidden)]
        values, ids = logits.topk(min(max(chunk_counts), logits.shape[-1]))
        norms = logits.logsumexp(-1, keepdim=True)
        require_finite(norms)
        logprobs = values - norms
        rows = zip(chunk_counts, ids.tolist(), logprobs.tolist(), strict=True)
        readings += [TopTokens(row_ids[:count], row_logprobs[:count]) for count, row_ids, row_logprobs in rows]
    return readings


def read_wanted(head: Head, vectors: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The wanted tokens of each row, with their ranks in the whole vocabulary where requested."""
    readings: list[Reading] = []
    for start, hidden in head.chunks(vectors):
        logits = head.logits(hidden)
        norms = logits.logsumexp(-1)
        require_finite(norms)
        for row, logit in enumerate(logits):
            read = batch[start + row].read
            assert isinstance(read, Wanted)
            readings.append(_pick(logit, norms[row], read))
    return readings


def read_targets(
    head: Head, vectors: torch.Tensor, batch: list[Sequence], attention: torch.Tensor | None
) -> list[Reading]:
    """One token at each of several positions."""
    reads = [sequence.read for sequence in batch]
    targets = torch.tensor(
        [token for read in reads if isinstance(read, Targets) for token in read.ids], device=vectors.device
    )
    scores = head.logprobs_of(vectors, targets)
    require_finite(torch.where(scores == -torch.inf, 0, scores))  # a probability of zero is a number, too
    logprobs = scores.tolist()
    readings: list[Reading] = []
    start = 0
    for row, read in enumerate(reads):
        assert isinstance(read, Targets)
        end = start + len(read.ids)
        received = [] if attention is None else attention[row, list(read.positions)].tolist()
        readings.append(TargetLogprobs(logprobs[start:end], received))
        start = end
    return readings


def read_spans(hidden: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The mean vector of each row's positions."""
    readings: list[Reading] = []
    for row, sequence in enumerate(batch):
        assert isinstance(sequence.read, Span)
        vector = hidden[row, list(sequence.read.positions)].float().mean(0)
        require_finite(vector)
        readings.append(Values(vector.tolist()))
    return readings


def require_finite(values: torch.Tensor) -> None:
    """Reject what a model computed if NaN or infinity is in it, because a probability made of it means nothing."""
    if not torch.isfinite(values).all():
        raise ModelError(
            "The model computes numbers that are not finite. Load it with dtype=float32, and check its weights."
        )


def _pick(logit: torch.Tensor, norm: torch.Tensor, read: Wanted) -> TokenLogprobs:
    values = logit[list(read.ids)]
    if not read.ranked:
        return TokenLogprobs((values - norm).tolist(), [], [])
    others = torch.tensor(read.others, device=logit.device) + norm
    ranks = _ranks(logit, torch.cat([values, others])).tolist()
    return TokenLogprobs((values - norm).tolist(), ranks[: len(read.ids)], ranks[len(read.ids) :])


def _ranks(logit: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """One more than the number of entries that are strictly greater, for each value."""
    if len(values) <= _MAX_COUNTED:
        return (logit[None, :] > values[:, None]).sum(-1) + 1
    ascending = logit.sort().values
    return len(logit) - torch.searchsorted(ascending, values, right=True) + 1
