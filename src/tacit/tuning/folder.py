"""A tuning on disk: the state of an unfinished one, and the finished model folder, written completely or not at all."""

from __future__ import annotations

import copy
import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tacit.errors import RunError

__all__ = ["Epoch", "Progress", "TuningFolder"]

_RECORD, _STATE = "tuning.json", "state.pt"


@dataclass(frozen=True)
class Epoch:
    """The result of one epoch.

    Attributes:
        number: Its number; 0 is before training.
        train_loss: The mean loss on the training examples while they were learned; None for epoch 0.
        loss: The mean loss on the held-out examples.
        accuracy: The accuracy on the held-out examples.
    """

    number: int
    train_loss: float | None
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """How far a tuning has come.

    Attributes:
        epochs: The epochs so far.
        best: The number of the epoch with the lowest held-out loss.
        best_weights: The weights after that epoch.
    """

    epochs: tuple[Epoch, ...]
    best: int
    best_weights: dict[str, torch.Tensor]

    def is_over(self, max_epochs: int, patience: int) -> bool:
        """Whether all epochs are done, or the last `patience` epochs brought no improvement."""
        count = len(self.epochs) - 1
        return count >= max_epochs or count - self.best >= patience

    def after(self, epoch: Epoch, network: Any) -> Progress:
        """The progress after one more epoch, which left the network as it is now."""
        epochs = (*self.epochs, epoch)
        if epoch.loss < self.epochs[self.best].loss:
            return Progress(epochs, epoch.number, copy.deepcopy(network.state_dict()))
        return Progress(epochs, self.best, self.best_weights)


class TuningFolder:
    """Where a tuning is written.

    Attributes:
        out: The model folder, which appears once the tuning is finished.
        unfinished: The folder beside it that holds the state of an unfinished tuning.
        recipe: Everything that determines the result, as JSON values.
    """

    def __init__(self, out: Path, recipe: dict[str, object]) -> None:
        self.out = out
        self.unfinished = out.with_name(f"{out.name}.unfinished")
        self.recipe = json.loads(json.dumps(recipe))

    def read_finished(self) -> Progress | None:
        """The epochs of this tuning if it is finished, None if nothing is there; anything else is an error."""
        if not self.out.exists():
            return None
        record = _read_record(self.out / _RECORD)
        if record is None or record["options"] != self.recipe:
            raise RunError(f"{self.out} already exists and is not this tuning. Give another folder with --out.")
        return Progress(tuple(Epoch(**epoch) for epoch in record["epochs"]), record["best"], {})

    def save(self, progress: Progress, network: Any, optimizer: torch.optim.Optimizer) -> None:
        """Store everything that is needed to continue."""
        self.unfinished.mkdir(parents=True, exist_ok=True)
        state = {
            "options": json.dumps(self.recipe, sort_keys=True),
            "epochs": json.dumps([asdict(epoch) for epoch in progress.epochs]),
            "best": progress.best,
            "best_weights": progress.best_weights,
            "weights": network.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        torch.save(state, self.unfinished / f"{_STATE}.new")
        (self.unfinished / f"{_STATE}.new").replace(self.unfinished / _STATE)

    def resume(self, network: Any, optimizer: torch.optim.Optimizer) -> Progress | None:
        """Restore network and optimizer to where an interrupted tuning stopped; None if there is none."""
        if not (self.unfinished / _STATE).is_file():
            return None
        state = torch.load(self.unfinished / _STATE, weights_only=True, map_location=network.device)
        if state["options"] != json.dumps(self.recipe, sort_keys=True):
            raise RunError(
                f"{self.unfinished} holds an unfinished tuning with different options. Finish that one, or delete the "
                "folder."
            )
        network.load_state_dict(state["weights"])
        optimizer.load_state_dict(state["optimizer"])
        epochs = tuple(Epoch(**epoch) for epoch in json.loads(state["epochs"]))
        return Progress(epochs, state["best"], state["best_weights"])

    def finish(self, progress: Progress, network: Any, tokenizer: Any) -> None:
        """Write the model folder beside its place, then move it there in one step."""
        folder = self.unfinished / "model"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        network.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        epochs = [asdict(epoch) for epoch in progress.epochs]
        record = {"options": self.recipe, "best": progress.best, "epochs": epochs}
        (folder / _RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        self.out.parent.mkdir(parents=True, exist_ok=True)
        os.replace(folder, self.out)
        shutil.rmtree(self.unfinished)


def _read_record(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
