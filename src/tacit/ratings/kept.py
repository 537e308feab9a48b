"""The ratings that a run rests on, kept beside it as one file: the same ratings give the same bytes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.ratings.rating import Rating
from tacit.ratings.scale import Scale
from tacit.ratings.spreadsheet import read_rows, sheet_bytes

__all__ = ["kept_bytes", "read_kept"]

_COLUMNS = ("sentence", "token", "score", "rater", "date", "note")


def kept_bytes(ratings: Sequence[Rating]) -> bytes:
    """The ratings as a CSV file, in an order that does not depend on where they came from."""
    rows = sorted((*rating.key, repr(rating.score), rating.rater, rating.date, rating.note) for rating in ratings)
    return sheet_bytes(_COLUMNS, rows)


def read_kept(path: Path, scale: Scale, sentences: Collection[str]) -> list[Rating]:
    """Read the ratings that a run kept.

    Args:
        path: The file.
        scale: The scale that every score must be on.
        sentences: The ids of the probe's sentences.

    Raises:
        MaterialsError: The file is not what `kept_bytes` writes.
    """
    ratings = []
    for number, cells in read_rows(path, _COLUMNS):
        if cells["sentence"] not in sentences:
            raise MaterialsError(f"{path}, row {number}: the probe has no sentence {cells['sentence']!r}.")
        try:
            score = scale.parse_score(cells["score"])
        except ValueError as error:
            raise MaterialsError(f"{path}, row {number}: {error}") from None
        ratings.append(Rating(cells["sentence"], cells["token"], score, cells["rater"], cells["date"], cells["note"]))
    return ratings
