"""Checks of what a Python caller passes: whatever is wrong, one `ArgumentError` names the argument."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tacit.errors import ArgumentError

__all__ = [
    "LARGEST_SEED",
    "MOST_CHARACTERS",
    "require_count",
    "require_flag",
    "require_number",
    "require_one_of",
    "require_path",
    "require_text",
    "require_texts",
    "shown_value",
    "wrong_argument",
]

MOST_CHARACTERS = 1_000_000
"""More than any model reads; a tokenizer would take minutes to say so."""
LARGEST_SEED = 2**32 - 1
# Of Linux, and of the file systems in use on it.
_LONGEST_PATH, _LONGEST_NAME = 4095, 255


def wrong_argument(name: str, needed: str, value: object) -> ArgumentError:
    """The error for one argument: `raise wrong_argument("top", "a whole number", "five")`."""
    return ArgumentError(f"`{name}` must be {needed}, not {shown_value(value)}.")


def require_text(name: str, value: object) -> None:
    """Refuse what is not text, half of a character (a lone surrogate), and text that no model would read."""
    if type(value) is str and len(value) <= MOST_CHARACTERS and value.isascii():
        return  # the usual case, millions of times
    if not isinstance(value, str):
        raise wrong_argument(name, "text", value)
    if len(value) > MOST_CHARACTERS:
        raise ArgumentError(f"`{name}` has {len(value):,} characters. Give it at most {MOST_CHARACTERS:,}.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"`{name}` contains half of a character ({value[error.start]!r} at {error.start}). Read it as UTF-8."
        ) from None


def require_texts(name: str, values: object) -> None:
    """Refuse what is not a list of texts; one text alone is refused because its letters are texts, too."""
    if isinstance(values, str | bytes):
        raise ArgumentError(
            f"`{name}` must be a list of texts, not the text {shown_value(values)}. Put it in brackets."
        )
    if not isinstance(values, tuple | list | Sequence):
        raise wrong_argument(name, "a list of texts", values)
    for value in values:
        require_text(name, value)


def require_count(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number in a range."""
    try:
        # numpy's whole numbers count; True does not, although Python takes it for 1.
        is_right = not isinstance(value, bool) and least <= operator.index(value) <= most  # type: ignore[arg-type]
    except TypeError:
        is_right = False
    if not is_right:
        raise wrong_argument(name, f"a whole number from {least:,} to {most:,}", value)


def require_number(name: str, value: object, above: float, below: float) -> None:
    """Refuse what is not a finite number between two others, which are excluded."""
    # Comparing refuses NaN and infinity too, and takes integers that no float can hold.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not above < value < below:  # type: ignore[operator]
        raise wrong_argument(name, f"a number between {above:g} and {below:g}", value)


def require_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise wrong_argument(name, "True or False", value)


def require_one_of(name: str, value: object, options: Iterable[str]) -> None:
    """Refuse what is not one of these names."""
    options = tuple(options)
    if not isinstance(value, str) or value not in options:
        raise wrong_argument(name, f"one of {', '.join(map(repr, options))}", value)


def require_path(name: str, value: object) -> None:
    """Refuse what is not a path, and names that no file system takes: asking it about them is an error of its own."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise wrong_argument(name, "a path", value)
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:
        raise ArgumentError(f"`{name}` is not a path: {shown_value(value)} contains half of a character.") from None
    if len(encoded) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in encoded.split(b"/")):
        raise ArgumentError(
            f"`{name}` is too long for a path: {shown_value(value)}. A name has at most {_LONGEST_NAME} bytes."
        )


def shown_value(value: Any) -> str:
    """A value on one line, shortened."""
    try:
        shown = " ".join(repr(value[:200] if isinstance(value, str | bytes) else value).split())
    except Exception:  # noqa: BLE001 - the value is a stranger's, and so is its __repr__
        shown = f"a {type(value).__name__}"
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
