"""Models in this process, through torch and transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.models.base import Model

__all__ = ["LOADER", "HFLoader"]


class HFLoader:
    """Loads standards, model folders and Hugging Face names. It is the loader of everything that no other claims."""

    def accepts(self, path: Path) -> bool:
        """Whether a folder has a transformers configuration."""
        return (path / "config.json").is_file()

    def load(self, name: str, **options: Any) -> Model:
        """The model of that name; torch is imported only now."""
        from tacit.models.hf.loading import load  # noqa: PLC0415 - takes seconds

        return load(name, **options)


LOADER = HFLoader()
