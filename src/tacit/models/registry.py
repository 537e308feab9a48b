"""Loading a model by name. Packages add kinds of models through the entry-point group `tacit.models`."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from tacit.arguments import require_flag, require_path, require_text
from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.registry import Registry

__all__ = ["Loader", "known_fingerprint", "load", "loader_names", "require_known"]

_LOGGER = logging.getLogger(__name__)
_LOADERS = Registry("tacit.models", "kind of model")
_DEFAULT = "hf"


class Loader(Protocol):
    """Loads one kind of model. A loader registered under the name `my` loads all names that start with `my+`."""

    def accepts(self, path: Path) -> bool:
        """Whether this existing file or folder holds a model of this kind."""

    def load(self, name: str, **options: Any) -> Model:
        """Load a model.

        Args:
            name: The name the user gave, without the scheme.
            **options: Those of `tacit.load`; a loader ignores the ones that mean nothing to it.
        """


def loader_names() -> list[str]:
    """The names of all loaders, which are also their schemes."""
    return _LOADERS.names()


def load(
    name: str | Path,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    allow_pickle: bool = False,
    begin: bool | None = None,
    force: bool = False,
    rehash: bool = False,
) -> Model:
    """Load a model by name, ready to be asked.

    Args:
        name: A standard, a folder, a GGUF file, a Hugging Face name, or `NAME+ADDRESS` for the loader of that name.
        device: Where it computes: cpu, cuda, cuda:1, mps, or auto for the best there is, on several cards if need be.
        dtype: The precision of its numbers: float32, float16 or bfloat16.
        allow_pickle: Also load weights that are not safetensors. Code that comes with a model is never run.
        begin: Put a causal model's begin token first (True) or leave it out (False); None follows its tokenizer.
        force: Ask a model even if it fails the checks at load (a random head, a tokenizer of another model); its
            description then records that. Setting the environment variable TACIT_FORCE=1 does the same.
        rehash: Read all files again for the fingerprint, instead of trusting the file system about what changed.

    Returns:
        A model that answers questions.
    """
    require_path("name", name)
    require_text("device", device)
    require_text("dtype", dtype)
    for flag, value in (("allow_pickle", allow_pickle), ("force", force), ("rehash", rehash)):
        require_flag(flag, value)
    if begin is not None:
        require_flag("begin", begin)
    options = {
        "device": device,
        "dtype": dtype,
        "allow_pickle": allow_pickle,
        "begin": begin,
        "force": force,
        "rehash": rehash,
    }
    scheme, plus, rest = str(name).partition("+")
    if plus and scheme in _LOADERS.names():
        return _load(scheme, rest, options)
    if plus and "://" in rest:
        _LOADERS.get(scheme)  # raises the error that lists the schemes
    return _load(_kind_of(Path(str(name)).expanduser()), str(name), options)


def known_fingerprint(name: str, **options: Any) -> str | None:
    """The fingerprint that a model would have if it were loaded with these options; None where only loading tells."""
    path = Path(name).expanduser()
    if "+" in name or _kind_of(path) != _DEFAULT:
        return None
    found: str | None = _LOADERS.get(_DEFAULT).fingerprint(name, **options)
    return found


def require_known(names: Sequence[str]) -> None:
    """Refuse names of models that do not exist, before the first of several is asked for hours."""
    for name in names:
        require_path("model", name)
        scheme, plus, rest = name.partition("+")
        if plus and (scheme in _LOADERS.names() or "://" in rest):
            _LOADERS.get(
                scheme
            )  # raises the error that lists the schemes; the server itself is asked when it is loaded
        elif _kind_of(Path(name).expanduser()) == _DEFAULT:
            _LOADERS.get(_DEFAULT).require(name)


def _kind_of(path: Path) -> str:
    """The loader that recognizes a file or folder, or the default loader."""
    if path.exists():
        for scheme in _LOADERS.names():
            if scheme != _DEFAULT and _LOADERS.get(scheme).accepts(path):
                return scheme
    return _DEFAULT


def _load(scheme: str, name: str, options: dict[str, Any]) -> Model:
    began = time.perf_counter()
    _LOGGER.info("Loading %s (%s)", name, scheme)
    model = _LOADERS.get(scheme).load(name, **options)
    if not isinstance(model, Model):
        raise ModelError(
            f"The loader {scheme!r} returned a {type(model).__name__}. A loader must return a tacit.models.Model."
        )
    _LOGGER.info("Loaded %s in %.1f s: %s", name, time.perf_counter() - began, _facts(model))
    return model


def _facts(model: Model) -> str:
    """How a model was loaded, on one line."""
    described = model.describe()
    facts = [f"{key} {described[key]}" for key in ("architecture", "dtype", "device") if key in described]
    begin = f"begin token {described.get('begin') or 'none'}"
    return ", ".join([f"family {model.family}", *facts, begin, f"fingerprint {model.fingerprint[:16]}"])
