"""The last step of a language model: from hidden vectors to log-probabilities, the vocabulary in chunks."""

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
    """The vocabulary projection of a model; without a weight, the vectors it gets are already logits."""

    def __init__(self, weight: torch.Tensor | None = None, bias: torch.Tensor | None = None) -> None:
        self.parts = [] if weight is None else _split(weight, bias)

    def double(self) -> Head:
        """The same projection in double precision."""
        head = Head()
        head.parts = [part.double() for part in self.parts]
        return head

    def chunks(self, hidden: torch.Tensor) -> list[tuple[int, torch.Tensor]]:
        """Split the rows so that full logits fit into memory: pairs of (first row, hidden vectors)."""
        return [(start, hidden[start : start + _ROWS]) for start in range(0, len(hidden), _ROWS)]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits over the whole vocabulary, in single precision."""
        if not self.parts:
            return hidden.float()
        hidden = hidden.to(self.parts[0].weight.device)
        return torch.cat([part(hidden).float() for part in self.parts], -1)

    def logprobs_of(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """log P(target) of each row, with the vocabulary in chunks: the full logits are never stored."""
        if not self.parts:
            return torch.log_softmax(hidden.float(), -1).gather(1, targets[:, None])[:, 0]
        device = self.parts[0].weight.device
        hidden, targets = hidden.to(device), targets.to(device)
        rows = torch.arange(len(targets), device=device)
        wanted = torch.empty(len(targets), device=device)
        norm = torch.full((len(targets),), -torch.inf, device=device)
        for index, part in enumerate(self.parts):
            start, logits = index * _WORDS, part(hidden).float()
            in_part = (targets >= start) & (targets < start + _WORDS)
            wanted[in_part] = logits[rows[in_part], targets[in_part] - start]
            norm = torch.logaddexp(norm, logits.logsumexp(-1))
        return wanted - norm


def _split(weight: torch.Tensor, bias: torch.Tensor | None) -> list[Product]:
    starts = range(0, len(weight), _WORDS)
    ranges = [slice(start, start + _WORDS) for start in starts]
    return [Product(weight[words], None if bias is None else bias[words]) for words in ranges]


def detach_projection(model: Any) -> Head:
    """Take the vocabulary projection off a model, so that it returns the vectors before it.

    Some models change the logits afterwards (scale, cap or shift them). So both ways are tried on a few tokens, and a
    model whose numbers would change keeps its own projection.
    """
    projection = model.get_output_embeddings()
    parents = (
        (module, name) for module in model.modules() for name, child in module.named_children() if child is projection
    )
    parent = next(parents, None)
    if parent is None or not isinstance(projection, nn.Linear) or getattr(model, "final_logits_bias", None) is not None:
        return Head()
    if projection.weight.device.type == "meta" or type(projection) is not nn.Linear:
        # Weights that are kept elsewhere until they are needed, and quantized ones, have no numbers to take.
        return Head()
    sample = {"input_ids": torch.arange(5, 13, device=model.device)[None] % projection.out_features}
    if model.config.is_encoder_decoder:
        sample["decoder_input_ids"] = sample["input_ids"]
    before = model(**sample).logits.float().to(projection.weight.device)
    setattr(*parent, nn.Identity())
    head = Head(projection.weight.detach(), None if projection.bias is None else projection.bias.detach())
    after = model(**sample).logits
    if after.shape[-1] == projection.in_features and torch.allclose(head.logits(after), before, atol=1e-4):
        return head
    setattr(*parent, projection)
    return Head()
