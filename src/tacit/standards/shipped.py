"""Which standards this install has, and where their files are."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import TacitError

__all__ = ["standard_card", "standard_names", "standard_path"]

_FOLDER = Path(__file__).parent


def standard_names() -> list[str]:
    """The names of the standards."""
    return sorted(config.parent.name for config in _FOLDER.glob("*/config.json"))


def standard_path(name: str) -> Path:
    """The folder of a standard."""
    if name not in standard_names():
        raise TacitError(f"There is no standard {name!r}: there are {', '.join(standard_names())}.")
    return _FOLDER / name


def standard_card(name: str) -> str:
    """The model card of a standard, as Markdown."""
    return (standard_path(name) / "card.md").read_text(encoding="utf-8")
