"""A plant on disk: a model folder for each epoch, the record beside them, and the state from which to continue."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tacit.errors import RunError, TacitError
from tacit.storage import write_file
from tacit.tables import read_text
from tacit.tuning.state import STATE_ERRORS, read_state, restore, state_tensors, write_state, writing_to

__all__ = ["PlantEpoch", "PlantFolder"]

_RECORD, _STATE, _NEW, _MODEL = "planting.json", "state.safetensors", "state.new", "model.unfinished"


@dataclass(frozen=True)
class PlantEpoch:
    """The result of one epoch: its number, from 1, and the mean loss while it was learned."""

    number: int
    loss: float


class PlantFolder:
    """Where a plant is written.

    Attributes:
        out: The folder that holds `epoch-1`, `epoch-2` and so on, each a normal model folder.
        recipe: Everything that determines the result, as JSON values.
        last: The number of the last epoch.
        keep_all: Whether every epoch is kept as a model folder, or the last one alone.
    """

    def __init__(self, out: Path, recipe: dict[str, object], last: int, keep_all: bool = True) -> None:
        self.out = out
        self.last = last
        self.recipe = json.loads(json.dumps(recipe))
        self.keep_all = keep_all

    def epoch_folder(self, number: int) -> Path:
        """The model folder of an epoch."""
        return self.out / f"epoch-{number}"

    def read_epochs(self) -> tuple[PlantEpoch, ...]:
        """The epochs on record; a folder that holds anything but this plant is an error."""
        if not os.path.lexists(self.out) or (self.out.is_dir() and not any(self.out.iterdir())):
            return ()
        try:
            record = json.loads(read_text(self.out / _RECORD))
            epochs = tuple(PlantEpoch(**epoch) for epoch in record["epochs"])
            is_this = record["options"] == self.recipe
        except (TacitError, ValueError, TypeError, LookupError):
            is_this = False
        if not is_this:
            raise RunError(f"{self.out} already exists and is not this plant. Give another folder with --out.")
        return epochs

    def claim(self) -> None:
        """Put the record into the folder, so that nothing else takes it before the first epoch is done."""
        with writing_to(self.out):
            self.out.mkdir(parents=True, exist_ok=True)
            self._write_record(())

    def save(
        self, epochs: tuple[PlantEpoch, ...], network: Any, optimizer: torch.optim.Optimizer, tokenizer: Any
    ) -> None:
        """Write the model folder of the last epoch, then everything that is needed to continue after it."""
        number = epochs[-1].number
        with writing_to(self.out):
            if self.keep_all or number == self.last:
                self._write_model(number, network, tokenizer)
            # The state after the folder: an epoch that it does not name is learned again, to the same weights.
            done = json.dumps([asdict(epoch) for epoch in epochs])
            write_state(self.out / _STATE, state_tensors(network, optimizer), {"epochs": done})
            self._write_record(epochs)

    def resume(self, network: Any, optimizer: torch.optim.Optimizer) -> tuple[PlantEpoch, ...]:
        """Put network and optimizer where the plant stopped, and return the epochs that are done."""
        path = self.out / _STATE
        if not path.is_file():
            return ()
        try:
            tensors, text = read_state(path, str(network.device))
            restore(tensors, network, optimizer)
            return tuple(PlantEpoch(**epoch) for epoch in json.loads(text["epochs"]))
        except STATE_ERRORS as error:
            raise RunError(
                f"{path} is damaged ({str(error).splitlines()[0]}). Delete {self.out} to start the plant again."
            ) from None

    def finish(self) -> None:
        """Remove what only an unfinished plant needs."""
        shutil.rmtree(self.out / _NEW, ignore_errors=True)
        shutil.rmtree(self.out / _MODEL, ignore_errors=True)
        (self.out / _STATE).unlink(missing_ok=True)

    def _write_model(self, number: int, network: Any, tokenizer: Any) -> None:
        """Write the folder beside its place, then move it there in one step."""
        shutil.rmtree(self.out / _MODEL, ignore_errors=True)
        (self.out / _MODEL).mkdir()
        network.save_pretrained(self.out / _MODEL)
        tokenizer.save_pretrained(self.out / _MODEL)
        shutil.rmtree(self.epoch_folder(number), ignore_errors=True)
        (self.out / _MODEL).replace(self.epoch_folder(number))

    def _write_record(self, epochs: tuple[PlantEpoch, ...]) -> None:
        record = {"options": self.recipe, "epochs": [asdict(epoch) for epoch in epochs]}
        write_file(self.out / _RECORD, (json.dumps(record, indent=2) + "\n").encode())
