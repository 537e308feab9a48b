"""Continued training on whole sentences: masked models predict hidden tokens, causal models each next token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from tacit.tuning.weights import logits_at

__all__ = ["Encoded", "SentenceTrainer"]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence as tokens.

    Attributes:
        ids: The tokens.
        hidden: The positions that a masked model has to predict.
        own: The positions of all its own tokens, without those that the tokenizer adds.
        others: The share of these that are hidden as well.
    """

    ids: tuple[int, ...]
    hidden: tuple[int, ...]
    own: tuple[int, ...]
    others: float = 0.0


@dataclass
class SentenceTrainer:
    """A network that learns sentences.

    Attributes:
        network: A transformers model.
        tokenizer: Its tokenizer.
        optimizer: How its weights follow the gradient.
        is_causal: Whether it predicts each next token instead of hidden ones.
        batch: How many sentences per step.
        seed: Determines the order, the hidden tokens and the dropout.
    """

    network: Any
    tokenizer: Any
    optimizer: torch.optim.Optimizer
    is_causal: bool
    batch: int
    seed: int

    def learn(self, sentences: Sequence[Encoded], epoch: int, on_step: Callable[[int, int], object]) -> float:
        """Learn for one epoch and return the mean loss per step.

        All that is random depends only on the seed and the epoch, so that an epoch can be repeated.

        Args:
            sentences: The text.
            epoch: The number of the epoch.
            on_step: Called after each step with the number of sentences learned and of all sentences.
        """
        torch.manual_seed(self.seed * 100_003 + epoch)
        self.network.train()
        order = torch.randperm(len(sentences)).tolist()
        losses: list[float] = []
        for start in range(0, len(order), self.batch):
            batch = [sentences[i] for i in order[start : start + self.batch]]
            loss = self.loss(batch)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            losses.append(float(loss.detach()))
            on_step(start + len(batch), len(order))
        return sum(losses) / len(losses)

    def loss(self, batch: Sequence[Encoded]) -> torch.Tensor:
        """The mean cross-entropy over the predicted tokens."""
        pad = self.tokenizer.pad_token_id or 0
        ids = self._padded([sentence.ids for sentence in batch], pad)
        seen = self._padded([(1,) * len(sentence.ids) for sentence in batch], 0)
        if self.is_causal:
            read = seen.bool() & (torch.arange(ids.shape[1], device=ids.device) < seen.sum(1, keepdim=True) - 1)
            shown, wanted = ids, torch.roll(ids, -1, 1)[read]
        else:
            read = self._hidden(batch, ids)
            shown, wanted = self._blank(ids, read), ids[read]
        return functional.cross_entropy(
            logits_at(self.network, read, input_ids=shown, attention_mask=seen).float(), wanted
        )

    def _hidden(self, batch: Sequence[Encoded], ids: torch.Tensor) -> torch.Tensor:
        read, draws = torch.zeros(ids.shape, dtype=torch.bool), torch.rand(ids.shape)
        for row, sentence in enumerate(batch):
            own = torch.tensor(sentence.own)
            read[row, own[draws[row, own] < sentence.others]] = True
            read[row, list(sentence.hidden)] = True
        return read.to(ids.device)

    def _blank(self, ids: torch.Tensor, read: torch.Tensor) -> torch.Tensor:
        """Of the predicted tokens 80 % become the mask, 10 % another token, and 10 % stay, as in BERT's training."""
        kind = torch.rand(ids.shape).to(ids.device)
        others = torch.randint(0, len(self.tokenizer), ids.shape).to(ids.device)
        mask = torch.full_like(ids, self.tokenizer.mask_token_id)
        shown = torch.where(read & (kind < 0.8), mask, ids)
        return torch.where(read & (kind >= 0.9), others, shown)

    def _padded(self, rows: Sequence[tuple[int, ...]], pad: int) -> torch.Tensor:
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows], device=self.network.device)
