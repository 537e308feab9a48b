"""What the tests of tuning share."""

from __future__ import annotations

from pathlib import Path

from safetensors.torch import load_file

__all__ = ["weights"]


def weights(folder: Path) -> dict[str, object]:
    """The weights of a model folder, for comparing."""
    return {name: tensor.tolist() for name, tensor in load_file(folder / "model.safetensors").items()}
