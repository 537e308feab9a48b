"""The state of an unfinished training: weights, what the optimizer remembers, and text beside them, in one file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from tacit.errors import RunError

__all__ = ["STATE_ERRORS", "read_state", "restore", "state_tensors", "tensors_of", "write_state", "writing_to"]

STATE_ERRORS = (SafetensorError, RuntimeError, OSError, ValueError, TypeError, LookupError)
"""What reading a damaged state may raise."""


def state_tensors(network: Any, optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Everything that is needed to continue, by name."""
    tensors = {f"weights {name}": tensor for name, tensor in network.state_dict().items()}
    for number, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer {number} {name}": tensor for name, tensor in moments.items() if tensor is not None}
    return tensors


def write_state(path: Path, tensors: dict[str, torch.Tensor], text: Mapping[str, str]) -> None:
    """Write a state completely or not at all."""
    # safetensors leaves a file under a name of its own if it is killed, so it gets a folder of its own.
    new = path.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    save_file(_unshared(tensors), new / path.name, dict(text))
    (new / path.name).replace(path)


def read_state(path: Path, device: str) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """The tensors and the text of a state; one of STATE_ERRORS if it is damaged."""
    with safe_open(path, "pt", device=device) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118 - not a dict


def restore(tensors: dict[str, torch.Tensor], network: Any, optimizer: torch.optim.Optimizer) -> None:
    """Put network and optimizer where the state was taken."""
    network.load_state_dict(tensors_of(tensors, "weights"))
    optimizer.load_state_dict({**optimizer.state_dict(), "state": _moments(tensors_of(tensors, "optimizer"))})


def tensors_of(tensors: dict[str, torch.Tensor], kind: str) -> dict[str, torch.Tensor]:
    """The tensors of one kind, such as "weights", by their own names."""
    return {name.removeprefix(f"{kind} "): tensor for name, tensor in tensors.items() if name.startswith(f"{kind} ")}


def _unshared(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors, each with memory of its own, as safetensors needs them; tied weights share theirs."""
    taken: set[int] = set()
    own: dict[str, torch.Tensor] = {}
    for name, tensor in tensors.items():
        plain = tensor.detach().contiguous()
        own[name] = plain.clone() if plain.data_ptr() in taken else plain
        taken.add(own[name].data_ptr())
    return own


def _moments(tensors: dict[str, torch.Tensor]) -> dict[int, dict[str, torch.Tensor]]:
    """What the optimizer remembers of each parameter, by the parameter's number."""
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, moment = name.partition(" ")
        moments.setdefault(int(number), {})[moment] = tensor
    return moments


@contextmanager
def writing_to(out: Path) -> Iterator[None]:
    """Say in one sentence why a training's folder cannot be written; what was kept before stays."""
    try:
        yield
    except (OSError, SafetensorError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise RunError(
            f"{out} cannot be written: {reason}. Check the permissions and the space on the disk, then repeat "
            "the command: it continues after the last epoch that was kept."
        ) from None
