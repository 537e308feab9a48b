"""The last step of a language model: from hidden vectors to log-probabilities, without keeping the whole vocabulary."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from tacit.models.hf.layers import Product

__all__ = ["Head", "detach_projection"]

# Small enough that a chunk of logits stays in the processor's cache, large enough for full-speed products.
_ROWS = 64
_WORDS = 4096


class Head:
    """The vocabulary projection. Without a weight it takes logits that the model has already computed."""

    def __init__(self, weight: torch.Tensor | None = None, bias: torch.Tensor | None = None) -> None:
        self.parts = [] if weight is None else _split(weight, bias)

    def double(self) -> Head:
        """The same projection in double precision."""
        twin = Head()
        twin.parts = [part.double() for part in self.parts]
        return twin

    def chunks(self, hidden: torch.Tensor) -> list[tuple[int, torch.Tensor]]:
        """Row ranges that can be turned into full logits one after another: (first row, hidden vectors)."""
        return [(start, hidden[start : start + _ROWS]) for start in range(0, len(hidden), _ROWS)]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits over the whole vocabulary, in single precision."""
        if not self.parts:
            return hidden.float()
        return torch.cat([part(hidden).float() for part in self.parts], -1)

    def logprobs_of(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """log P(target) for each row, with the vocabulary in chunks: the full logits are never stored."""
        if not self.parts:
            return torch.log_softmax(hidden.float(), -1).gather(1, targets[:, None])[:, 0]
        rows = torch.arange(len(targets), device=hidden.device)
        wanted = torch.empty(len(targets), device=hidden.device)
        norm = torch.full((len(targets),), -torch.inf, device=hidden.device)
        for index, each in enumerate(self.parts):
            start, part = index * _WORDS, each(hidden).float()
            here = (targets >= start) & (targets < start + _WORDS)
            wanted[here] = part[rows[here], targets[here] - start]
            norm = torch.logaddexp(norm, part.logsumexp(-1))
        return wanted - norm


def _split(weight: torch.Tensor, bias: torch.Tensor | None) -> list[Product]:
    starts = range(0, len(weight), _WORDS)
    ranges = [slice(start, start + _WORDS) for start in starts]
    return [Product(weight[words], None if bias is None else bias[words]) for words in ranges]


def detach_projection(model: Any) -> Head:
    """Take the vocabulary projection out of a model, which then returns the vectors that it was about to project.

    Some families do more to the logits afterwards (scale, cap, shift them). So both ways are tried on a few tokens, and
    a model whose numbers would change keeps its own projection.
    """
    projection = model.get_output_embeddings()
    place = next(((m, n) for m in model.modules() for n, c in m.named_children() if c is projection), None)
    if place is None or not isinstance(projection, nn.Linear) or hasattr(model, "final_logits_bias"):
        return Head()
    sample = {"input_ids": torch.arange(5, 13, device=projection.weight.device)[None] % projection.out_features}
    if model.config.is_encoder_decoder:
        sample["decoder_input_ids"] = sample["input_ids"]
    before = model(**sample).logits
    setattr(place[0], place[1], nn.Identity())
    head = Head(projection.weight.detach(), None if projection.bias is None else projection.bias.detach())
    after = model(**sample).logits
    if after.shape[-1] == projection.in_features and torch.allclose(head.logits(after), before.float(), atol=1e-4):
        return head
    setattr(place[0], place[1], projection)
    return Head()
