"""Prompt-based fine-tuning (Gao, Fisch and Chen 2021): a few examples teach a model which word belongs in the blank."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tacit.errors import TacitError
from tacit.models.hf.loading import load
from tacit.models.hf.model import HFModel
from tacit.storage import file_hash
from tacit.tuning.examples import TuningExample, draw_shots, encode, label_tokens
from tacit.tuning.folder import Epoch, Progress, finish, finished, read_progress, unfinished, write_progress
from tacit.tuning.weights import trainable

__all__ = ["PromptTuning", "TunedModel", "tune_prompt"]


@dataclass(frozen=True)
class PromptTuning:
    """How to tune; the defaults are those of Gao et al. for 16 shots, but for the early stopping."""

    shots: int = 16
    prompt: str = "It was [MASK]."
    label_words: tuple[str, str] = ("great", "terrible")
    rate: float = 1e-5
    decay: float = 0.01
    batch: int = 8
    epochs: int = 100
    patience: int = 10
    seed: int = 0


@dataclass(frozen=True)
class TunedModel:
    """Where the tuned model is, and the epochs that led to it; `best` is the epoch that was kept (0 is the start)."""

    folder: Path
    epochs: tuple[Epoch, ...]
    best: int


def tune_prompt(
    model: str | Path,
    reviews: str | Path,
    out: str | Path,
    options: PromptTuning | None = None,
    *,
    device: str = "cpu",
    tell: Callable[[Epoch], object] = lambda _: None,
) -> TunedModel:
    """Tune a model on a few reviews and write it to `out` as a normal model folder.

    The held-out loss decides when to stop and which epoch is kept. An interrupted tuning is continued by the same call
    and ends in the same weights.
    """
    options, out = options or PromptTuning(), Path(out)
    train, held_out = draw_shots(Path(reviews), options.shots, options.seed)
    asked = load(model, device=device)
    if asked.family not in ("masked", "causal"):
        raise TacitError(f"{asked.name} is a {asked.family} model; only masked and causal ones can be tuned by prompt.")
    tokens = label_tokens(asked, options.prompt, options.label_words)
    told = {**asdict(options), "model": asked.fingerprint, "reviews": file_hash(Path(reviews))}
    done = finished(out, told)
    if done is None:
        shots = [encode(asked, each, options.prompt, options.label_words) for each in (train, held_out)]
        done = _tune(
            _Tuner(asked, trainable(str(model), asked.family, device), tokens, options), shots, out, told, tell
        )
    return TunedModel(out, done.epochs, done.best)


@dataclass
class _Tuner:
    """The network that learns, and how its answers are read."""

    asked: HFModel
    network: Any
    tokens: tuple[int, int]
    options: PromptTuning

    def loss(self, examples: Sequence[TuningExample]) -> tuple[torch.Tensor, int]:
        """Cross-entropy over the two label words at the blank, and how many examples were right."""
        logits = self.network(**self._batch(examples)).logits
        rows = torch.arange(len(examples), device=logits.device)
        places = torch.tensor([each.blank for each in examples], device=logits.device)
        wanted = logits[rows, places][:, list(self.tokens)].float()
        labels = torch.tensor([each.label for each in examples], device=logits.device)
        loss = torch.nn.functional.cross_entropy(wanted, labels, reduction="sum")
        return loss, int((wanted.argmax(1) == labels).sum())

    def _batch(self, examples: Sequence[TuningExample]) -> dict[str, torch.Tensor]:
        longest, device = max(len(each.ids) for each in examples), self.network.device
        pad = self.asked.tokens.tokenizer.pad_token_id or 0
        ids = [[*each.ids, *[pad] * (longest - len(each.ids))] for each in examples]
        mask = [[1] * len(each.ids) + [0] * (longest - len(each.ids)) for each in examples]
        batch = {"input_ids": torch.tensor(ids, device=device), "attention_mask": torch.tensor(mask, device=device)}
        if examples[0].types:
            types = [[*each.types, *[0] * (longest - len(each.types))] for each in examples]
            batch["token_type_ids"] = torch.tensor(types, device=device)
        return batch

    def evaluate(self, examples: Sequence[TuningExample]) -> tuple[float, float]:
        """Mean loss and accuracy without learning."""
        self.network.eval()
        with torch.inference_mode():
            found = [self.loss(batch) for batch in self._batches(examples)]
        return sum(float(loss) for loss, _ in found) / len(examples), sum(hit for _, hit in found) / len(examples)

    def learn(self, examples: Sequence[TuningExample], optimizer: torch.optim.Optimizer, epoch: int) -> float:
        """One epoch; its order and its dropout depend on the seed and the epoch alone, so that it can be repeated."""
        torch.manual_seed(self.options.seed * 100_003 + epoch)
        self.network.train()
        order = torch.randperm(len(examples)).tolist()
        total = 0.0
        for batch in self._batches([examples[i] for i in order]):
            loss, _ = self.loss(batch)
            optimizer.zero_grad()
            (loss / len(batch)).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += float(loss.detach())
        return total / len(examples)

    def _batches(self, examples: Sequence[TuningExample]) -> list[Sequence[TuningExample]]:
        return [examples[at : at + self.options.batch] for at in range(0, len(examples), self.options.batch)]


def _tune(
    tuner: _Tuner,
    shots: list[list[TuningExample]],
    out: Path,
    told: dict[str, Any],
    tell: Callable[[Epoch], object],
) -> Progress:
    train, held_out = shots
    options, scratch = tuner.options, unfinished(out)
    optimizer = torch.optim.AdamW(tuner.network.parameters(), lr=options.rate, weight_decay=options.decay)
    progress = read_progress(scratch, told, tuner.network, optimizer)
    if progress is None:
        progress = Progress((Epoch(0, None, *tuner.evaluate(held_out)),), 0, copy.deepcopy(tuner.network.state_dict()))
        tell(progress.epochs[-1])
    while not progress.is_over(options.epochs, options.patience):
        number = len(progress.epochs)
        learnt = tuner.learn(train, optimizer, number)
        progress = progress.after(Epoch(number, learnt, *tuner.evaluate(held_out)), tuner.network)
        write_progress(scratch, told, progress, tuner.network, optimizer)
        tell(progress.epochs[-1])
    tuner.network.load_state_dict(progress.best_weights)
    finish(scratch, out, told, progress, (tuner.network, tuner.asked.tokens.tokenizer))
    return progress
