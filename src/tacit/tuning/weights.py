"""The weights of a model as something that can learn; asking keeps its own copy, cut down to what it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.models.fetching import fetched_path
from tacit.standards import standard_names, standard_path

__all__ = ["trainable"]


def trainable(name: str, family: str, device: str) -> Any:
    """The network of a model that `load` has accepted, in single precision."""
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM  # noqa: PLC0415 - slow to import

    kind = AutoModelForMaskedLM if family == "masked" else AutoModelForCausalLM
    return kind.from_pretrained(_where(name), use_safetensors=True, trust_remote_code=False, dtype="float32").to(device)


def _where(name: str) -> str:
    if name in standard_names():
        return str(standard_path(name))
    if "/" not in name and fetched_path(name).is_dir():
        return str(fetched_path(name))
    given = Path(name).expanduser()
    if given.suffix == ".gguf":
        raise TacitError(f"{name} is quantised (GGUF) and cannot be trained: give the model's folder.")
    return str(given) if given.is_dir() else name
