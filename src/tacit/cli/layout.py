"""Fitting text into a terminal: lines break between words, in a table also after slashes, never inside a word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

__all__ = ["column_widths", "wrap", "wrap_prose"]

_PIECE = re.compile(r"[^\s/]*/+|[^\s/]+|\s+")
# A path or a command in a sentence is there to be copied, so it stays on one line.
_PROSE_PIECE = re.compile(r"(?:`[^`]*`|\S)+|\s+")


def column_widths(rows: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """The width of each column so that all fit into `room` characters without breaking a word; None if they cannot."""
    columns = list(zip(*rows, strict=True))
    natural = [max(map(cell_len, column)) for column in columns]
    least = [max(_longest_piece(cell) for cell in column) for column in columns]
    if sum(least) > room:
        return None
    widths = least[:]
    spare = room - sum(least)
    # The column that lacks most gets the next character, so that no column is left with one word a line.
    while spare and any(width < full for width, full in zip(widths, natural, strict=True)):
        lacking = [full / width if width < full else 0.0 for width, full in zip(widths, natural, strict=True)]
        widths[lacking.index(max(lacking))] += 1
        spare -= 1
    return widths


def wrap(text: str, width: int) -> str:
    """The text in lines of at most `width` characters, if its words are no longer than that."""
    return "\n".join(_lines(_PIECE.findall(text), width))


def wrap_prose(line: str, width: int) -> str:
    """A line of prose in lines of at most `width` characters, those after the first indented by two more than it.

    Words, paths and commands between backticks stay whole, even if they are longer than that.
    """
    text = line.lstrip(" ")
    margin = " " * (len(line) - len(text) + 2)
    lines = _lines(_PROSE_PIECE.findall(text), max(width - len(margin), 1), first=width - len(margin) + 2)
    return margin[2:] + f"\n{margin}".join(lines)


def _lines(pieces: Sequence[str], width: int, *, first: int | None = None) -> list[str]:
    """The pieces in lines of at most `width` characters, the first one of at most `first`."""
    lines, room = [""], first or width
    for piece in pieces:
        if lines[-1] and cell_len(lines[-1]) + cell_len(piece.rstrip()) > room:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            room = width
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    return lines


def _longest_piece(text: str) -> int:
    return max((cell_len(piece) for piece in _PIECE.findall(text) if not piece.isspace()), default=1)
