"""Where a model computes: on one device, or spread over several if it does not fit one."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import torch

from tacit.errors import ModelError

__all__ = ["Placement", "check_device", "device_names", "place"]

# Activations and the keys and values of a prefix need memory beside the weights.
_SPARE = 1.2


@dataclass(frozen=True, slots=True)
class Placement:
    """How a model gets where it computes.

    Attributes:
        device: The device to move it to once it is loaded; None if transformers has placed it.
        arguments: The arguments that make transformers place it.
    """

    device: str | None
    arguments: dict[str, Any] = field(default_factory=dict)


def check_device(device: str) -> None:
    """Reject a device that does not exist here, before anything is loaded."""
    kind, _, number = device.partition(":")
    counts = {
        "auto": 1,
        "cpu": 1,
        "cuda": torch.cuda.device_count() if torch.cuda.is_available() else 0,
        "mps": int(torch.backends.mps.is_available()),
    }
    if kind not in counts or (":" in device and (kind != "cuda" or not number.isdecimal())):
        raise ModelError(f"There is no device {device!r}. Choose one of auto, cpu, cuda, cuda:1 or mps.")
    if not counts[kind]:
        raise ModelError(f"This machine has no {kind} device. Use cpu.")
    if number and int(number) >= counts[kind]:
        raise ModelError(f"This machine has no {device}: its devices are numbered from 0 to {counts[kind] - 1}.")


def place(device: str, needed: int, is_quantized: bool) -> Placement:
    """Choose where a model goes.

    Args:
        device: What the user asked for; `auto` takes a card if the model fits it, several if it does not.
        needed: How many bytes its weights take.
        is_quantized: Whether transformers loads quantized weights, which cannot be moved afterwards.
    """
    if device == "auto":
        if torch.cuda.is_available():
            fits = needed * _SPARE <= torch.cuda.mem_get_info(0)[0]
            if not fits:
                return Placement(None, {"device_map": "auto"} | _require_accelerate())
            device = "cuda:0"
        else:
            device = "mps" if torch.backends.mps.is_available() else "cpu"
    if is_quantized:
        return Placement(None, {"device_map": {"": device}} | _require_accelerate())
    return Placement(device)


def device_names(model: Any) -> str:
    """Where a loaded model is."""
    places = getattr(model, "hf_device_map", None)
    if not places:
        return str(model.device)
    named = (f"cuda:{place}" if isinstance(place, int) else str(place) for place in places.values())
    return ", ".join(dict.fromkeys(named))


def _require_accelerate() -> dict[str, Any]:
    if not find_spec("accelerate"):
        raise ModelError("Models on several devices need one more package. Run pip install 'tacit[devices]'.")
    return {}
