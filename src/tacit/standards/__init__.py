"""The models that ship with Tacit and whose leaning is known, because we chose their books."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import TacitError

__all__ = ["standard_card", "standard_names", "standard_path"]

HOME = Path(__file__).parent
NAMES = ("early-modern", "modern")


def standard_names() -> list[str]:
    """The names under which the standards load."""
    return list(NAMES)


def standard_path(name: str) -> Path:
    """The folder that holds the weights, the tokenizer and the card of a standard."""
    if name not in NAMES:
        raise TacitError(f"There is no standard named {name!r}: the standards are {' and '.join(NAMES)}.")
    return HOME / name


def standard_card(name: str) -> str:
    """The model card: what the standard was trained on, how, what it is known to do, and what it does not show."""
    return (standard_path(name) / "card.md").read_text(encoding="utf-8")
