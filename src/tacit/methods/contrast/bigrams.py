"""How common a word is before what follows the blank, counted in a corpus."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from tacit.errors import MaterialsError
from tacit.tables import Row, read_table, refuse, require_unique

__all__ = ["Bigram", "per_billion", "read_bigrams"]


class Bigram(NamedTuple):
    """How common a word and its rival are before the same following word (see `per_billion`)."""

    own: float
    rival: float


def per_billion(count: float, words: float) -> float:
    """log10((n + 1/2) / N * 10^9): n occurrences in N words on the Zipf scale; the half keeps n = 0 finite."""
    return math.log10((count + 0.5) / words * 1e9)


def read_bigrams(path: Path, noun: str, frame: str) -> dict[tuple[str, str], Bigram]:
    """Read counts of pairs: the columns named after the noun and the slot, `count`, `against_count` and `words`."""
    if not frame:
        raise MaterialsError(f"{path}: this probe has no bare form with one slot. Leave the setting bigrams out.")
    rows = read_table(path, [noun, frame, "count", "against_count", "words"])
    require_unique(path, rows, noun, frame)
    return {(row[noun], row[frame]): _read_bigram(path, row) for row in rows}


def _read_bigram(path: Path, row: Row) -> Bigram:
    for column, least in (("count", 0), ("against_count", 0), ("words", 1)):
        if not row[column].isdecimal() or int(row[column]) < least:
            raise refuse(path, row, f"{column} must be a whole number from {least}, not {row[column]!r}.")
    own, rival, words = (int(row[column]) for column in ("count", "against_count", "words"))
    return Bigram(per_billion(own, words), per_billion(rival, words))
