"""The size that a configuration claims, held against the weights before memory is taken for it."""

from __future__ import annotations

from typing import Any

import torch

from tacit.errors import ModelError

__all__ = ["check_size"]

# Tables that are computed rather than learned (positions, masks) may be this large without being in the weights.
_MAX_BUFFER_NUMBERS = 200_000_000


def check_size(auto_class: Any, config: Any, weight_bytes: int, name: str) -> int:
    """Reject a configuration whose model is larger than its weights, before memory is taken for it.

    Args:
        auto_class: The class of transformers that builds the model.
        config: The configuration.
        weight_bytes: The size of the files that hold the weights.
        name: What the user calls the model.

    Returns:
        How many numbers the model holds.
    """
    with torch.device("meta"):
        model = auto_class.from_config(config, trust_remote_code=False)
    parameters: int = sum(parameter.numel() for parameter in model.parameters())
    buffers = sum(buffer.numel() for buffer in model.buffers())
    # No format takes less than an eighth of a byte per parameter, and most at least half a byte; the smallest models
    # are allowed some overhead.
    most = 8 if getattr(config, "quantization_config", None) else 2
    if parameters > most * weight_bytes + 1_000 or buffers > _MAX_BUFFER_NUMBERS:
        raise ModelError(
            f"The config.json of {name!r} describes a model of {parameters + buffers:,} numbers, but its weights have "
            f"only {weight_bytes:,} bytes. Use the config.json that belongs to these weights."
        )
    return parameters
