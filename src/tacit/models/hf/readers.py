"""Reading numbers off the vectors of a batch, one function a kind of reading."""

from __future__ import annotations

import torch

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

__all__ = ["read_spans", "read_targets", "read_top", "read_wanted"]

# Up to here counting likelier tokens is cheaper than sorting the vocabulary once.
_COUNTED = 16


def read_top(head: Head, vectors: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The likeliest tokens of each row."""
    counts = [each.read.count for each in batch if isinstance(each.read, Top)]
    found: list[Reading] = []
    for start, hidden in head.chunks(vectors):
        logits = head.logits(hidden)
        here = counts[start : start + len(hidden)]
        values, ids = logits.topk(min(max(here), logits.shape[-1]))
        logprobs = values - logits.logsumexp(-1, keepdim=True)
        rows = zip(here, ids.tolist(), logprobs.tolist(), strict=True)
        found += [TopTokens(likeliest[:count], scores[:count]) for count, likeliest, scores in rows]
    return found


def read_wanted(head: Head, vectors: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The wanted tokens of each row, with their ranks over the whole vocabulary where asked."""
    found: list[Reading] = []
    for start, hidden in head.chunks(vectors):
        logits = head.logits(hidden)
        norms = logits.logsumexp(-1)
        for row, logit in enumerate(logits):
            read = batch[start + row].read
            assert isinstance(read, Wanted)
            found.append(_pick(logit, norms[row], read))
    return found


def read_targets(
    head: Head, vectors: torch.Tensor, batch: list[Sequence], attention: torch.Tensor | None
) -> list[Reading]:
    """One token at each of several positions."""
    reads = [each.read for each in batch]
    targets = torch.tensor([i for read in reads if isinstance(read, Targets) for i in read.ids], device=vectors.device)
    logprobs = head.logprobs_of(vectors, targets).tolist()
    found: list[Reading] = []
    start = 0
    for row, read in enumerate(reads):
        assert isinstance(read, Targets)
        end = start + len(read.ids)
        received = [] if attention is None else attention[row, list(read.positions)].tolist()
        found.append(TargetLogprobs(logprobs[start:end], received))
        start = end
    return found


def read_spans(hidden: torch.Tensor, batch: list[Sequence]) -> list[Reading]:
    """The mean vector of each row's positions."""
    found: list[Reading] = []
    for row, each in enumerate(batch):
        assert isinstance(each.read, Span)
        found.append(Values(hidden[row, list(each.read.positions)].float().mean(0).tolist()))
    return found


def _pick(logit: torch.Tensor, norm: torch.Tensor, read: Wanted) -> TokenLogprobs:
    values = logit[list(read.ids)]
    if not read.ranked:
        return TokenLogprobs((values - norm).tolist(), [], [])
    others = torch.tensor(read.others, device=logit.device) + norm
    ranks = _ranks(logit, torch.cat([values, others])).tolist()
    return TokenLogprobs((values - norm).tolist(), ranks[: len(read.ids)], ranks[len(read.ids) :])


def _ranks(logit: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """One more than the number of entries that are strictly greater, for each value."""
    if len(values) <= _COUNTED:
        return (logit[None, :] > values[:, None]).sum(-1) + 1
    ascending = logit.sort().values
    return len(logit) - torch.searchsorted(ascending, values, right=True) + 1
