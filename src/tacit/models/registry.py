"""Loading a model by name. Packages add kinds of models through the entry points `tacit.models`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.registry import Registry

__all__ = ["Loader", "load", "loader_names"]

_LOADERS = Registry("tacit.models", "kind of model")
_DEFAULT = "hf"


class Loader(Protocol):
    """Loads one kind of model. It is registered under its scheme: `my` loads every name that starts with `my+`."""

    def accepts(self, path: Path) -> bool:
        """Whether this existing file or folder holds a model of this kind."""

    def load(self, name: str, **options: Any) -> Model:
        """The model of that name (or after the scheme), ready to be asked; unknown options are refused."""


def loader_names() -> list[str]:
    """The schemes of all loaders."""
    return _LOADERS.names()


def load(
    name: str | Path,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    allow_pickle: bool = False,
    begin: bool | None = None,
) -> Model:
    """Load a model by name, ready to be asked.

    Args:
        name: A standard, a folder, a GGUF file, a Hugging Face name, or `SCHEME+ADDRESS` for a registered loader.
        device: Where it computes: cpu, cuda or mps.
        dtype: The precision of its numbers: float32, float16 or bfloat16.
        allow_pickle: Also load weights that are not safetensors. Code that comes with a model is never run.
        begin: Put a causal model's begin token first (True) or leave it out (False); None follows its tokenizer.
    """
    options = {"device": device, "dtype": dtype, "allow_pickle": allow_pickle, "begin": begin}
    scheme, plus, rest = str(name).partition("+")
    if plus and scheme in _LOADERS.names():
        return _load(scheme, rest, options)
    if plus and "://" in rest:
        _LOADERS.get(scheme)  # says which schemes there are
    return _load(_kind_of(Path(str(name)).expanduser()), str(name), options)


def _kind_of(path: Path) -> str:
    """The loader that recognises a file or folder; the default where none does."""
    if path.exists():
        for scheme in _LOADERS.names():
            if scheme != _DEFAULT and _LOADERS.get(scheme).accepts(path):
                return scheme
    return _DEFAULT


def _load(scheme: str, name: str, options: dict[str, Any]) -> Model:
    model = _LOADERS.get(scheme).load(name, **options)
    if not isinstance(model, Model):
        raise ModelError(f"The loader {scheme!r} gave a {type(model).__name__}: a model extends tacit.models.Model.")
    return model
