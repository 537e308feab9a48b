"""The torch engine: models that run in this process, through torch and transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.models.base import Model

__all__ = ["LOADER", "HFLoader"]


class HFLoader:
    """Loads standards, model folders and Hugging Face names: everything that no other loader claims."""

    def accepts(self, path: Path) -> bool:
        """Whether a folder has a transformers configuration."""
        return (path / "config.json").is_file()

    def load(self, name: str, **options: Any) -> Model:
        """Load the model of that name, with the options of `tacit.load`."""
        from tacit.models.hf.loading import load  # noqa: PLC0415 - imports torch

        return load(name, **options)

    def require(self, name: str) -> None:
        """Refuse a name that is neither a standard, a folder with a model, nor on the hub, without loading anything."""
        from tacit.models.hf.finding import find_files  # noqa: PLC0415 - imports transformers

        find_files(name)

    def fingerprint(self, name: str, *, dtype: str = "float32", rehash: bool = False, **_: Any) -> str | None:
        """The fingerprint that a masked model in a folder would get by loading it; None where only loading tells."""
        from tacit.models.hf.folders import masked_folder  # noqa: PLC0415 - only runs that are there need it

        folder = masked_folder(name)
        if folder is None:
            return None
        from tacit.models.hf.fingerprint import fingerprint  # noqa: PLC0415

        files = [path for path in folder.iterdir() if path.is_file()]
        return fingerprint(files, rehash=rehash, dtype=dtype, begin=None)


LOADER = HFLoader()
