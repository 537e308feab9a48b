"""Starting positions and attention: the first layer begins by looking at the neighbours of each word.

Left to chance, a small BERT spends most of its training finding out that the words next to a blank matter. Nothing here
says what the neighbours mean; that is learnt.
"""

from __future__ import annotations

import math
from typing import Any

import torch

__all__ = ["OFFSETS", "look_at_neighbours", "position_vectors", "shift"]

OFFSETS = (-1, 1, -2, 2)
SHARPNESS = 0.85


def position_vectors(length: int, width: int) -> torch.Tensor:
    """p(i) = (sin w_k i, cos w_k i) for width/2 frequencies evenly between 0 and pi, so p(i).p(j) peaks at i = j."""
    angles = torch.arange(float(length))[:, None] * _frequencies(width)
    return torch.stack((torch.sin(angles), torch.cos(angles)), dim=-1).reshape(length, width) * math.sqrt(2)


def shift(offset: int, width: int) -> torch.Tensor:
    """The rotation S with S p(i) = p(i + offset)."""
    turn, even = offset * _frequencies(width), torch.arange(0, width, 2)
    rotation = torch.diag(torch.cos(turn).repeat_interleave(2))
    rotation[even, even + 1] = torch.sin(turn)
    rotation[even + 1, even] = -torch.sin(turn)
    return rotation


def look_at_neighbours(model: Any, spread: float) -> None:
    """Give positions the last dimensions of the embedding, and each head of the first layer one neighbour to see."""
    hidden, heads = model.config.hidden_size, model.config.num_attention_heads
    width = hidden // heads
    embeddings, attention = model.bert.embeddings, model.bert.encoder.layer[0].attention
    with torch.no_grad():
        embeddings.position_embeddings.weight.normal_(0, 0.002)
        embeddings.position_embeddings.weight[:, -width:] = spread * position_vectors(
            model.config.max_position_embeddings, width
        )
        for head in range(heads):
            rows = slice(head * width, (head + 1) * width)
            turn = shift(OFFSETS[head % len(OFFSETS)], width)
            attention.self.query.weight[rows, -width:] = SHARPNESS * turn
            attention.self.key.weight[rows, -width:] = SHARPNESS * torch.eye(width)
        for weight in (attention.self.value.weight, attention.output.dense.weight):
            weight.normal_(0, 1 / math.sqrt(hidden))


def _frequencies(width: int) -> torch.Tensor:
    half = width // 2
    return math.pi * (torch.arange(half) + 0.5) / half
