"""A tuning on disk: what an interrupted one left to go on from, and the finished model folder, whole or not at all."""

from __future__ import annotations

import copy
import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tacit.errors import TacitError

__all__ = ["Epoch", "Progress", "finish", "finished", "read_progress", "unfinished", "write_progress"]

_RECORD, _STATE = "tuning.json", "state.pt"


@dataclass(frozen=True)
class Epoch:
    """The loss on what was trained on, loss and accuracy on what was held out; epoch 0 is before training."""

    number: int
    train_loss: float | None
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """The epochs so far, the best of them by held-out loss, and its weights."""

    epochs: tuple[Epoch, ...]
    best: int
    best_weights: dict[str, torch.Tensor]

    def is_over(self, most: int, patience: int) -> bool:
        """Whether all epochs are done, or as many as `patience` have brought nothing better."""
        done = len(self.epochs) - 1
        return done >= most or done - self.best >= patience

    def after(self, epoch: Epoch, network: Any) -> Progress:
        """The progress with one more epoch."""
        epochs = (*self.epochs, epoch)
        if epoch.loss < self.epochs[self.best].loss:
            return Progress(epochs, epoch.number, copy.deepcopy(network.state_dict()))
        return Progress(epochs, self.best, self.best_weights)


def unfinished(out: Path) -> Path:
    """The folder beside `out` where an unfinished tuning is kept."""
    return out.with_name(f"{out.name}.unfinished")


def finished(out: Path, told: dict[str, Any]) -> Progress | None:
    """The record of a tuning that `out` holds already; None if nothing is there; anything else is refused."""
    if not out.exists():
        return None
    record = _read_record(out / _RECORD)
    if record is None or record["options"] != _plain(told):
        raise TacitError(f"{out} is there already and is not this tuning: give another folder with --out.")
    return Progress(tuple(Epoch(**each) for each in record["epochs"]), record["best"], {})


def write_progress(scratch: Path, told: dict[str, Any], progress: Progress, network: Any, optimizer: Any) -> None:
    """Keep everything that is needed to go on."""
    scratch.mkdir(parents=True, exist_ok=True)
    state = {
        "options": json.dumps(_plain(told), sort_keys=True),
        "epochs": json.dumps([asdict(each) for each in progress.epochs]),
        "best": progress.best,
        "best_weights": progress.best_weights,
        "weights": network.state_dict(),
        "optimizer": optimizer.state_dict(),
    }
    torch.save(state, scratch / f"{_STATE}.new")
    (scratch / f"{_STATE}.new").replace(scratch / _STATE)


def read_progress(scratch: Path, told: dict[str, Any], network: Any, optimizer: Any) -> Progress | None:
    """Go on from what an interrupted tuning left, if it was this one."""
    if not (scratch / _STATE).is_file():
        return None
    state = torch.load(scratch / _STATE, weights_only=True, map_location=network.device)
    if state["options"] != json.dumps(_plain(told), sort_keys=True):
        raise TacitError(
            f"{scratch} holds an unfinished tuning with other options: finish that one, or delete the folder."
        )
    network.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["optimizer"])
    epochs = tuple(Epoch(**each) for each in json.loads(state["epochs"]))
    return Progress(epochs, state["best"], state["best_weights"])


def finish(scratch: Path, out: Path, told: dict[str, Any], progress: Progress, saved: tuple[Any, Any]) -> None:
    """Write the model folder beside its place, then move it there in one step."""
    made = scratch / "model"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    for each in saved:
        each.save_pretrained(made)
    record = {"options": _plain(told), "best": progress.best, "epochs": [asdict(each) for each in progress.epochs]}
    (made / _RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    out.parent.mkdir(parents=True, exist_ok=True)
    os.replace(made, out)
    shutil.rmtree(scratch)


def _plain(told: dict[str, Any]) -> Any:
    """The options as JSON gives them back."""
    return json.loads(json.dumps(told))


def _read_record(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
