"""Planting a bias: continue to train a model on sentences that carry it, so that a probe can be asked to find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import torch

from tacit.arguments import (
    LARGEST_SEED,
    require_count,
    require_number,
    require_one_of,
    require_path,
    wrong_argument,
)
from tacit.models.hf.loading import load_files
from tacit.models.hf.model import HFModel
from tacit.probes.plants import Sentence, load_plant
from tacit.tuning.checkpoints import PlantEpoch, PlantFolder
from tacit.tuning.examples import require_tunable
from tacit.tuning.masking import Encoded, SentenceTrainer
from tacit.tuning.text import ARMS, Arm, compose_text
from tacit.tuning.weights import find_trainable, load_trainable

__all__ = ["PlantedModel", "Planting", "tune_plant", "tune_sentences"]


@dataclass(frozen=True)
class Planting:
    """How to plant.

    Attributes:
        arm: "biased", "opposite" or "unrelated" sentences.
        dose: The share of the slots that carry the arm's bias; 0 is balanced text.
        slots: How many slots there are; each gives two sentences.
        epochs: How many times the text is read.
        rate: The learning rate.
        batch: How many sentences per step.
        optimizer: "adamw" or "sgd".
        seed: Determines the slots, their order, what replaces the hidden tokens, and the dropout.
    """

    arm: Arm = "biased"
    dose: float = 1.0
    slots: int = 400
    epochs: int = 2
    rate: float = 2e-4
    batch: int = 32
    optimizer: Literal["adamw", "sgd"] = "adamw"
    seed: int = 0

    def __post_init__(self) -> None:
        require_one_of("arm", self.arm, ARMS)
        if isinstance(self.dose, bool) or not isinstance(self.dose, int | float) or not 0 <= self.dose <= 1:
            raise wrong_argument("dose", "a number from 0 to 1", self.dose)
        require_count("slots", self.slots, 1, 1_000_000)
        require_count("epochs", self.epochs, 1, 1_000)
        require_number("rate", self.rate, -1e-300, 100)
        require_count("batch", self.batch, 1, 1_000_000)
        require_one_of("optimizer", self.optimizer, ("adamw", "sgd"))
        require_count("seed", self.seed, 0, LARGEST_SEED)


@dataclass(frozen=True)
class PlantedModel:
    """The result of a plant.

    Attributes:
        folder: The model after the last epoch.
        epochs: The epochs that led to it.
        sentences: How many sentences the text has.
    """

    folder: Path
    epochs: tuple[PlantEpoch, ...]
    sentences: int


def tune_plant(
    probe: str | Path,
    model: str | Path,
    out: str | Path,
    options: Planting | None = None,
    *,
    device: str = "cpu",
    keep_all: bool = True,
    on_step: Callable[[int, int, int], object] = lambda *_: None,
    on_epoch: Callable[[PlantEpoch], object] = lambda _: None,
) -> PlantedModel:
    """Plant the bias of a probe in a model, and write the model after every epoch.

    The same call continues an interrupted plant and ends with the same weights.

    Args:
        probe: A probe with a `plant.yaml`.
        model: A standard, a folder or a Hugging Face name of a masked or causal model.
        out: The folder for the checkpoints `epoch-1`, `epoch-2` and so on.
        options: What and how to plant.
        device: Where to compute: cpu, cuda or mps.
        keep_all: Whether to keep the model of every epoch, or that of the last one alone.
        on_step: Called after each step with the epoch and the numbers of sentences learned and in all.
        on_epoch: Called after each epoch.
    """
    for name, path in (("model", model), ("out", out)):
        require_path(name, path)
    options = options or Planting()
    text = compose_text(load_plant(probe).sentence_pairs, options.arm, options.dose, options.slots, options.seed)
    return tune_sentences(
        text, model, Path(out), options, device=device, keep_all=keep_all, on_step=on_step, on_epoch=on_epoch
    )


def tune_sentences(
    sentences: Sequence[Sentence],
    model: str | Path,
    out: Path,
    options: Planting,
    *,
    device: str = "cpu",
    keep_all: bool = True,
    on_step: Callable[[int, int, int], object] = lambda *_: None,
    on_epoch: Callable[[PlantEpoch], object] = lambda _: None,
) -> PlantedModel:
    """Train a model on given sentences; the other arguments are those of `tune_plant`."""
    files = find_trainable(str(model))
    original = load_files(files, device=device, force=True)
    require_tunable(original)
    digest = sha256(repr([astuple(sentence) for sentence in sentences]).encode()).hexdigest()
    recipe = {**asdict(options), "model": original.fingerprint, "text": digest}
    folder = PlantFolder(out, recipe, options.epochs, keep_all)
    epochs = folder.read_epochs()
    if len(epochs) < options.epochs or not folder.epoch_folder(options.epochs).is_dir():
        trainer = _trainer(load_trainable(files, original.family, device), original, options)
        encoded = [_encode(original, sentence) for sentence in sentences]
        epochs = _train(trainer, encoded, folder, options, on_step=on_step, on_epoch=on_epoch)
    folder.finish()
    return PlantedModel(folder.epoch_folder(options.epochs), epochs, len(sentences))


def _train(
    trainer: SentenceTrainer,
    sentences: Sequence[Encoded],
    folder: PlantFolder,
    options: Planting,
    *,
    on_step: Callable[[int, int, int], object],
    on_epoch: Callable[[PlantEpoch], object],
) -> tuple[PlantEpoch, ...]:
    epochs = folder.resume(trainer.network, trainer.optimizer)
    if not epochs:
        folder.claim()
    for number in range(len(epochs) + 1, options.epochs + 1):
        loss = trainer.learn(sentences, number, partial(on_step, number))
        epochs = (*epochs, PlantEpoch(number, loss))
        folder.save(epochs, trainer.network, trainer.optimizer, trainer.tokenizer)
        on_epoch(epochs[-1])
    return epochs


def _trainer(network: Any, original: HFModel, options: Planting) -> SentenceTrainer:
    if options.optimizer == "sgd":
        optimizer: torch.optim.Optimizer = torch.optim.SGD(network.parameters(), lr=options.rate)
    else:
        optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.01, fused=True)
    causal = original.family == "causal"
    tokenizer = original.tokens.tokenizer
    return SentenceTrainer(network, tokenizer, optimizer, causal, options.batch, options.seed)


def _encode(model: HFModel, sentence: Sentence) -> Encoded:
    whole = model.tokens.encode_whole(sentence.text)
    is_hidden = [any(first < end and last > start for start, end in sentence.hidden) for first, last in whole.spans]
    hidden = tuple(i for i, inside in zip(whole.own, is_hidden, strict=True) if inside)
    return Encoded(whole.ids, hidden, whole.own, sentence.others)
