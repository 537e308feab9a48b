"""The files of a model: how transformers reads them, whether they are safe, and which of them are hashed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.errors import ModelError

__all__ = ["ModelFiles"]

_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_SAFE = ("model.safetensors", "model.safetensors.index.json")


class ModelFiles:
    """The files of a model, and how `from_pretrained` of transformers reads them.

    Attributes:
        name: What the user calls the model.
        location: The folder, or the name on the hub, that holds the files.
    """

    def __init__(self, name: str, location: str) -> None:
        self.name = name
        self.location = location

    def arguments(self) -> dict[str, Any]:
        """Further arguments of every `from_pretrained` call."""
        return {}

    def weight_arguments(self, allow_pickle: bool) -> dict[str, Any]:
        """Further arguments for loading the weights; missing weights, and pickled ones unless allowed, are errors."""
        names = [name for name in (*_SAFE, *_PICKLED) if self._has(name)]
        if not names:
            raise ModelError(
                f"The model {self.name!r} has no weights (model.safetensors). Give a complete model folder."
            )
        if not allow_pickle and not any(name in _SAFE for name in names):
            raise ModelError(
                f"The weights of {self.name!r} are pickled ({names[0]}), which can run code when opened. Convert them "
                "to safetensors, or pass --allow-pickle if you trust their author."
            )
        return {**self.arguments(), "use_safetensors": None if allow_pickle else True}

    def paths(self) -> list[Path]:
        """The files on this machine; those of a hub model are complete once its weights have been loaded."""
        folder = Path(self.location)
        if not folder.is_dir():
            from transformers.utils import cached_file  # noqa: PLC0415 - imports torch

            folder = Path(str(cached_file(self.location, "config.json"))).parent
        return [path for path in folder.iterdir() if path.is_file()]

    def _has(self, name: str) -> bool:
        from transformers.utils import cached_file  # noqa: PLC0415 - imports torch

        return cached_file(self.location, name, _raise_exceptions_for_missing_entries=False) is not None
