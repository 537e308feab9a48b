"""The models that ship with Tacit and whose leaning is known, because we chose their books."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import TacitError

__all__ = ["shipped_names", "standard_card", "standard_names", "standard_path"]

HOME = Path(__file__).parent
NAMES = ("early-modern", "modern")
# `reviews` is `modern` tuned to label reviews. It is no third variety of English: beside the other two it would only
# repeat `modern`, cost half as much time again, and mix what was tuned with what was read. So it is asked where it is
# named, and by the sentiment probes, whose control `modern` does not pass.
TUNED_NAMES = ("reviews",)


def standard_names() -> list[str]:
    """The standards that are asked where no model is named: two varieties of English, one recipe."""
    return list(NAMES)


def shipped_names() -> list[str]:
    """The names of all models that ship with Tacit."""
    return [*NAMES, *TUNED_NAMES]


def standard_path(name: str) -> Path:
    """The folder that holds the weights, the tokenizer and the card of a standard."""
    if name not in shipped_names():
        raise TacitError(f"There is no standard named {name!r}: the standards are {', '.join(shipped_names())}.")
    return HOME / name


def standard_card(name: str) -> str:
    """The model card: what the standard was trained on, how, what it is known to do, and what it does not show."""
    return (standard_path(name) / "card.md").read_text(encoding="utf-8")
