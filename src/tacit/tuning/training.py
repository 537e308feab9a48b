"""Training a network on examples until the held-out loss stops improving."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from tacit.tuning.examples import TuningExample
from tacit.tuning.folder import Epoch, Progress, TuningFolder
from tacit.tuning.options import TrainingOptions
from tacit.tuning.weights import logits_at

__all__ = ["PromptTrainer", "Trainer", "train"]


def train(
    trainer: Trainer,
    training: Callable[[int], Sequence[TuningExample]],
    held_out: Sequence[TuningExample],
    folder: TuningFolder,
    on_epoch: Callable[[Epoch], object],
    *,
    on_step: Callable[[int, int, int], object] = lambda *_: None,
) -> Progress:
    """Train a network, from where an interrupted tuning stopped, and write the best epoch as a model folder.

    Args:
        trainer: The network and how it learns.
        training: The examples to learn in each epoch, by its number.
        held_out: The examples that decide when to stop and which epoch is best.
        folder: Where state and result are written.
        on_epoch: Called after each epoch, and once before training.
        on_step: Called after each step with the epoch and the numbers of examples learned and in all.
    """
    options, network = trainer.options, trainer.network
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=options.decay)
    progress = folder.resume(network, optimizer)
    if progress is None:
        progress = Progress((Epoch(0, None, *trainer.evaluate(held_out)),), 0, copy.deepcopy(network.state_dict()))
        on_epoch(progress.epochs[-1])
    while not progress.is_over(options.epochs, options.patience):
        number = len(progress.epochs)
        train_loss = trainer.learn(training(number), optimizer, number, on_step)
        progress = progress.after(Epoch(number, train_loss, *trainer.evaluate(held_out)), network)
        folder.save(progress, network, optimizer)
        on_epoch(progress.epochs[-1])
    network.load_state_dict(progress.best_weights)
    folder.finish(progress, network, trainer.tokenizer)
    return progress


@dataclass
class Trainer(ABC):
    """The network that learns, and how its predictions are read.

    Attributes:
        network: A transformers model.
        tokenizer: Its tokenizer.
        options: How to tune.
    """

    network: Any
    tokenizer: Any
    options: TrainingOptions

    @abstractmethod
    def label_logits(self, examples: Sequence[TuningExample]) -> torch.Tensor:
        """The logits of the labels: (examples, labels)."""

    def loss(self, examples: Sequence[TuningExample]) -> tuple[torch.Tensor, int]:
        """The summed cross-entropy over the labels, and how many examples are correct."""
        label_logits = self.label_logits(examples).float()
        labels = torch.tensor([example.label for example in examples], device=label_logits.device)
        loss = torch.nn.functional.cross_entropy(label_logits, labels, reduction="sum")
        return loss, int((label_logits.argmax(1) == labels).sum())

    def evaluate(self, examples: Sequence[TuningExample]) -> tuple[float, float]:
        """Mean loss and accuracy, without learning."""
        self.network.eval()
        with torch.inference_mode():
            results = [self.loss(batch) for batch in self._batches(examples)]
        total = sum(float(loss) for loss, _ in results)
        return total / len(examples), sum(correct for _, correct in results) / len(examples)

    def learn(
        self,
        examples: Sequence[TuningExample],
        optimizer: torch.optim.Optimizer,
        epoch: int,
        on_step: Callable[[int, int, int], object] = lambda *_: None,
    ) -> float:
        """Learn for one epoch and return the mean loss.

        The order and the dropout depend only on the seed and the epoch, so that an epoch can be repeated.
        """
        torch.manual_seed(self.options.seed * 100_003 + epoch)
        self.network.train()
        order = torch.randperm(len(examples)).tolist()
        total, done = 0.0, 0
        for batch in self._batches([examples[i] for i in order]):
            loss, _ = self.loss(batch)
            optimizer.zero_grad()
            (loss / len(batch)).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += float(loss.detach())
            done += len(batch)
            on_step(epoch, done, len(examples))
        return total / len(examples)

    def _batches(self, examples: Sequence[TuningExample]) -> list[Sequence[TuningExample]]:
        return [examples[start : start + self.options.batch] for start in range(0, len(examples), self.options.batch)]

    def inputs(self, examples: Sequence[TuningExample]) -> dict[str, torch.Tensor]:
        """The arguments of the network: the examples, padded to the same length."""
        # A causal classifier takes the last token that is not its configuration's padding for the end of the text.
        pad = self.network.config.pad_token_id or self.tokenizer.pad_token_id or 0
        inputs = {
            "input_ids": self._padded([example.ids for example in examples], pad),
            "attention_mask": self._padded([(1,) * len(example.ids) for example in examples], 0),
        }
        if examples[0].types:
            inputs["token_type_ids"] = self._padded([example.types for example in examples], 0)
        return inputs

    def _padded(self, rows: Sequence[tuple[int, ...]], pad: int) -> torch.Tensor:
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows], device=self.network.device)


@dataclass
class PromptTrainer(Trainer):
    """Learns which of two label words belongs in the blank.

    Attributes:
        labels: The tokens of the two label words.
    """

    labels: tuple[int, int]

    def label_logits(self, examples: Sequence[TuningExample]) -> torch.Tensor:
        """The logits of the two label words at the blank."""
        inputs = self.inputs(examples)
        blanks = torch.tensor([example.blank for example in examples], device=self.network.device)
        is_blank = torch.arange(inputs["input_ids"].shape[1], device=self.network.device) == blanks[:, None]
        return logits_at(self.network, is_blank, **inputs)[:, list(self.labels)]
