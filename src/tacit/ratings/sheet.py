"""Rating sheets: blind CSV files that a person fills in, and the checks when they come back."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.ratings.rating import Rating, token_key
from tacit.ratings.scale import Scale
from tacit.ratings.spreadsheet import read_rows, row_code, write_rows

__all__ = ["COLUMNS", "TokenToRate", "read_sheet", "write_sheet"]

COLUMNS = ("row", "sentence", "text", "token", "score", "note")


@dataclass(frozen=True, slots=True)
class TokenToRate:
    """A token in a sentence (named by its id) that needs a score."""

    sentence: str
    token: str

    @property
    def key(self) -> tuple[str, str]:
        """The same key as that of the `Rating` that answers it."""
        return self.sentence, token_key(self.token)


def write_sheet(path: Path, probe: str, texts: Mapping[str, str], tokens: Iterable[TokenToRate], seed: int) -> int:
    """Write a blind sheet: shuffled, without model names or probabilities.

    Args:
        path: The CSV file to write.
        probe: The probe's name.
        texts: Each sentence's text by its id.
        tokens: What to rate; duplicates are written once.
        seed: Of the order of the rows.

    Returns:
        How many rows were written.
    """
    keys = sorted({token.key for token in tokens})
    random.Random(seed).shuffle(keys)
    rows = [
        (_code(probe, texts[sentence], token), sentence, texts[sentence], token, "", "") for sentence, token in keys
    ]
    write_rows(path, COLUMNS, rows)
    return len(rows)


def read_sheet(
    path: Path, probe: str, texts: Mapping[str, str], scale: Scale, *, rater: str, date: str
) -> list[Rating]:
    """Read the ratings of a filled sheet; rows without a score are skipped.

    Args:
        path: The filled sheet.
        probe: The name of the probe that it was written for.
        texts: Each sentence's text by its id.
        scale: The scale that every score must be on.
        rater: Who filled it in.
        date: When.

    Raises:
        MaterialsError: A row is wrong; nothing of the sheet is returned.
    """
    ratings: list[Rating] = []
    row_numbers: dict[tuple[str, str], int] = {}
    for number, cells in read_rows(path, COLUMNS[:5]):
        if not cells["score"].strip():
            continue
        token = TokenToRate(cells["sentence"], token_key(cells["token"]))
        try:
            _check_token(cells["row"].strip(), token, probe, texts, row_numbers)
            score = scale.parse_score(cells["score"])
        except ValueError as error:
            raise MaterialsError(f"{path}, row {number}: {error} Nothing was imported.") from None
        row_numbers[token.key] = number
        ratings.append(Rating(token.sentence, token.token, score, rater, date, cells["note"]))
    return ratings


def _check_token(
    code: str, token: TokenToRate, probe: str, texts: Mapping[str, str], row_numbers: Mapping[tuple[str, str], int]
) -> None:
    """Raise a ValueError if the sheet did not ask for this token, or if an earlier row has rated it."""
    if token.sentence not in texts:
        raise ValueError(f"the probe {probe} has no sentence {token.sentence!r}.")
    if code != _code(probe, texts[token.sentence], token.token):
        raise ValueError(
            f"the token {token.token!r} was not asked for in sentence {token.sentence} (or the sentence has changed)."
        )
    if token.key in row_numbers:
        raise ValueError(
            f"the token {token.token!r} of sentence {token.sentence} is already rated in row {row_numbers[token.key]}."
        )


def _code(probe: str, text: str, token: str) -> str:
    return row_code(probe, text, token_key(token), length=10)
