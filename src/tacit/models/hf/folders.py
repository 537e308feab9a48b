"""Model folders that can be recognized without torch."""

from __future__ import annotations

import json
from pathlib import Path

from tacit.models.fetching import FETCHABLE, fetched_path
from tacit.standards import shipped_names, standard_path

__all__ = ["local_folder", "masked_folder"]


def local_folder(name: str) -> Path | None:
    """The folder of a standard or a fetched model, or the folder of that name; None if there is none."""
    if name in shipped_names():
        return standard_path(name)
    if name in FETCHABLE and fetched_path(name).is_dir():
        return fetched_path(name)
    path = Path(name).expanduser()
    return path if path.is_dir() else None


def masked_folder(name: str) -> Path | None:
    """The folder of a model whose configuration says that it is masked; None for any other.

    The fingerprint of a causal model also depends on its begin token, which only its tokenizer knows.
    """
    folder = local_folder(name)
    if folder is None:
        return None
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # loading says what is wrong
    kinds = config.get("architectures") if isinstance(config, dict) else None
    is_masked = isinstance(kinds, list) and len(kinds) == 1 and str(kinds[0]).endswith("ForMaskedLM")
    return folder if is_masked else None
