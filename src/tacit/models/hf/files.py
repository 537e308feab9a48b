"""The files of a model: how transformers reads them, whether they are safe, and which of them are hashed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.models.hf.claims import check_claims
from tacit.models.hf.headers import check_json, check_weights

__all__ = ["ModelFiles"]

_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_SAFE = ("model.safetensors", "model.safetensors.index.json")
_JSON_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json")
_TOKENIZERS = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
)
_BARE_NAME = re.compile(r"[\w-][\w.-]*\.(safetensors|bin)")


class ModelFiles:
    """The files of a model, and how `from_pretrained` of transformers reads them.

    Attributes:
        name: What the user calls the model.
        location: The folder, or the name on the hub, that holds the files.
    """

    def __init__(self, name: str, location: str) -> None:
        self.name = name
        self.location = location

    def check(self) -> None:
        """Reject files that are missing, damaged, or make claims that no model makes; nothing is built for that."""
        config = self._path("config.json")
        if config is None:
            raise ModelError(f"The model {self.name!r} has no config.json. Give a complete model folder.")
        check_claims(check_json(config), self.name)
        for name in _JSON_FILES:
            path = self._path(name)
            if path is not None:
                check_json(path)
        if not any(self._path(name) for name in _TOKENIZERS):
            raise ModelError(
                f"The model {self.name!r} has no tokenizer (tokenizer.json). Copy the tokenizer's files from the model "
                "that it was trained from."
            )

    def arguments(self) -> dict[str, Any]:
        """Further arguments of every `from_pretrained` call."""
        return {}

    def weight_arguments(self, allow_pickle: bool) -> dict[str, Any]:
        """Further arguments for loading the weights; missing weights, and pickled ones unless allowed, are errors."""
        names = [name for name in (*_SAFE, *_PICKLED) if self._path(name)]
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

    def weight_bytes(self) -> int:
        """The size of the weights; the headers of safetensors files are checked on the way."""
        name = next(name for name in (*_SAFE, *_PICKLED) if self._path(name))
        names = self._shards(name) if name.endswith(".json") else [name]
        total = 0
        for shard in names:
            path = self._path(shard)
            if path is None:
                raise ModelError(f"The model {self.name!r} has no {shard}, which {name} names. Fetch it again.")
            if path.suffix == ".safetensors":
                check_weights(path)
            total += path.stat().st_size
        return total

    def begin(self) -> bool | None:
        """Whether the files say that a begin token comes first; None leaves it to the tokenizer."""
        return None

    def tuned_from(self) -> dict[str, str]:
        """The fingerprint of the model that `tacit tune` made this one from, if it did."""
        record = Path(self.location) / "tuning.json"
        options = check_json(record).get("options") if record.is_file() else None
        origin = options.get("model") if isinstance(options, dict) else None
        return {"tuned_from": origin} if isinstance(origin, str) else {}

    def paths(self) -> list[Path]:
        """The files on this machine; those of a hub model are complete once its weights have been loaded."""
        folder = Path(self.location)
        if not folder.is_dir():
            from transformers.utils import cached_file  # noqa: PLC0415 - imports torch

            folder = Path(str(cached_file(self.location, "config.json"))).parent
        return [path for path in folder.iterdir() if path.is_file()]

    def _shards(self, index: str) -> list[str]:
        path = self._path(index)
        assert path is not None
        shards = check_json(path).get("weight_map")
        names = set(shards.values()) if isinstance(shards, dict) else set()
        if not names or not all(isinstance(name, str) and _BARE_NAME.fullmatch(name) for name in names):
            raise ModelError(f"{path} does not name the files of the weights. Fetch it again.")
        return sorted(names)

    def _path(self, name: str) -> Path | None:
        """Where a file is on this machine, fetched from the hub if need be; None if the model does not have it."""
        if Path(self.location).is_dir():
            path = Path(self.location) / name
            return path if path.is_file() else None
        from transformers.utils import cached_file  # noqa: PLC0415 - imports torch

        cached = cached_file(self.location, name, _raise_exceptions_for_missing_entries=False)
        return None if cached is None else Path(cached)
