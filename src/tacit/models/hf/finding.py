"""From a model's name to its files: a standard, a fetched model, a folder, or a name on the Hugging Face hub."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from huggingface_hub import constants, hf_hub_url, try_to_load_from_cache
from transformers.utils import cached_file

from tacit.errors import ModelError
from tacit.models.fetching import FETCHABLE
from tacit.models.hf.files import ModelFiles
from tacit.models.hf.folders import local_folder
from tacit.registry import did_you_mean
from tacit.standards import shipped_names

__all__ = ["find_files"]


def find_files(name: str) -> ModelFiles:
    """Find the files of a model by its name: a standard, a fetched model, a folder, or a name on the hub."""
    folder = local_folder(name)
    if folder is not None:
        if not (folder / "config.json").is_file():
            raise ModelError(f"The folder {name} holds no model: it has no config.json. {_checkpoint_hint(folder)}")
        return ModelFiles(name, str(folder))
    if Path(name).expanduser().is_file():
        raise ModelError(f"{name} is a file. Give the model's folder, or a .gguf file.")
    if name.startswith((".", "/", "~")):
        raise ModelError(f"There is no folder {name}.")
    if name in FETCHABLE:
        raise ModelError(f"The model {name} is not here yet. Run tacit models fetch {name}.")
    _require_on_hub(name)
    return ModelFiles(name, name)


def _checkpoint_hint(folder: Path) -> str:
    """What to do about a folder without a model: a Trainer leaves its models in folders of their own."""
    checkpoints = [path for path in folder.glob("checkpoint-*") if (path / "config.json").is_file()]
    if not checkpoints:
        return "Give a model's folder."
    latest = max(checkpoints, key=lambda path: (len(path.name), path.name))
    return f"Did you mean {folder / latest.name}?"


def _require_on_hub(name: str) -> None:
    try:
        _ping_hub(name)
        cached_file(name, "config.json")
    except (OSError, ValueError) as error:
        known = [*shipped_names(), *FETCHABLE]
        hub = "cannot be reached" if isinstance(error, URLError | TimeoutError) else "does not have it"
        raise ModelError(
            f"There is no model {name!r}: it is not a folder here, and the Hugging Face hub {hub}. "
            f"{_capitalized(did_you_mean(name, known))}"
        ) from None


def _capitalized(hint: str) -> str:
    return hint[0].upper() + hint[1:]


def _ping_hub(name: str) -> None:
    """Contact the hub once about a model that is not cached: its own library would retry for half a minute."""
    if constants.HF_HUB_OFFLINE or isinstance(try_to_load_from_cache(name, "config.json"), str):
        return
    with suppress(HTTPError):  # The hub responds; its own library reports what is wrong.
        urlopen(Request(hf_hub_url(name, "config.json"), method="HEAD"), timeout=10).close()
