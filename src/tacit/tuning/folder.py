"""A tuning on disk: the state of an unfinished one, and the finished model folder, written completely or not at all."""

from __future__ import annotations

import copy
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tacit.errors import RunError, TacitError
from tacit.tables import read_text
from tacit.tuning.state import STATE_ERRORS, read_state, restore, state_tensors, tensors_of, write_state, writing_to

__all__ = ["Epoch", "Progress", "TuningFolder"]

_RECORD, _STATE, _NEW = "tuning.json", "state.safetensors", "state.new"


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
        extra: Further text files for the model folder, by name.
    """

    def __init__(self, out: Path, recipe: dict[str, object], extra: Mapping[str, str] | None = None) -> None:
        self.out = out
        self.extra = extra or {}
        self.unfinished = out.parent / f"{out.name}.unfinished"
        self.recipe = json.loads(json.dumps(recipe))

    def read_finished(self) -> Progress | None:
        """The epochs of this tuning if it is finished, None if nothing is there; anything else is an error."""
        if not os.path.lexists(self.out):
            self._require_own()
            return None
        try:
            record = json.loads(read_text(self.out / _RECORD))
            finished = Progress(tuple(Epoch(**epoch) for epoch in record["epochs"]), record["best"], {})
            is_this = record["options"] == self.recipe
        except (TacitError, ValueError, TypeError, LookupError):
            is_this = False
        if not is_this:
            raise RunError(f"{self.out} already exists and is not this tuning. Give another folder with --out.")
        self._remove_state()
        return finished

    def save(self, progress: Progress, network: Any, optimizer: torch.optim.Optimizer) -> None:
        """Store everything that is needed to continue."""
        tensors = state_tensors(network, optimizer)
        tensors |= {f"best {name}": tensor for name, tensor in progress.best_weights.items()}
        state = {
            "options": json.dumps(self.recipe, sort_keys=True),
            "epochs": json.dumps([asdict(epoch) for epoch in progress.epochs]),
            "best": str(progress.best),
        }
        with writing_to(self.out):
            write_state(self.unfinished / _STATE, tensors, state)

    def resume(self, network: Any, optimizer: torch.optim.Optimizer) -> Progress | None:
        """Restore network and optimizer to where an interrupted tuning stopped; None if there is none."""
        path = self.unfinished / _STATE
        if not path.is_file():
            return None
        try:
            tensors, state = read_state(path, str(network.device))
            if state["options"] != json.dumps(self.recipe, sort_keys=True):
                raise RunError(
                    f"{self.unfinished} holds an unfinished tuning with different options. Finish that one, or "
                    "delete the folder."
                )
            restore(tensors, network, optimizer)
            epochs = tuple(Epoch(**epoch) for epoch in json.loads(state["epochs"]))
            return Progress(epochs, int(state["best"]), tensors_of(tensors, "best"))
        except STATE_ERRORS as error:
            raise RunError(
                f"{path} is damaged ({str(error).splitlines()[0]}). Delete {self.unfinished} to start the tuning again."
            ) from None

    def finish(self, progress: Progress, network: Any, tokenizer: Any) -> None:
        """Write the model folder beside its place, then move it there in one step."""
        folder = self.unfinished / "model"
        epochs = [asdict(epoch) for epoch in progress.epochs]
        record = {"options": self.recipe, "best": progress.best, "epochs": epochs}
        with writing_to(self.out):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            network.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            for name, text in {_RECORD: json.dumps(record, indent=2) + "\n", **self.extra}.items():
                (folder / name).write_text(text, encoding="utf-8")
            folder.replace(self.out)
        self._remove_state()

    def _remove_state(self) -> None:
        """Remove what is no longer needed; a tuning that was killed at its very end may have left it."""
        shutil.rmtree(self.unfinished / _NEW, ignore_errors=True)
        (self.unfinished / _STATE).unlink(missing_ok=True)
        with suppress(OSError):  # not there, or not only ours
            self.unfinished.rmdir()

    def _require_own(self) -> None:
        """Refuse a folder of the user's in the place of the unfinished state, because that is removed at the end."""
        if not os.path.lexists(self.unfinished):
            return
        names = {path.name for path in self.unfinished.iterdir()} if self.unfinished.is_dir() else {""}
        own = {_STATE, _NEW, *(["model"] if _STATE in names else [])}
        if self.unfinished.is_symlink() or names - own:
            raise RunError(f"{self.unfinished} is not an unfinished tuning. Move it away, or give another --out.")
