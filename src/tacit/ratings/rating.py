"""A rating: one person's score of one token in one sentence; and how the scores of several people are combined."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from tacit.ratings.scale import Scale
from tacit.tables import read_table, refuse, require_unique

__all__ = ["Aggregate", "Rating", "combine_ratings", "read_ratings", "token_key"]

Aggregate = Literal["mean", "median"]
"""How the scores of several raters are combined into one."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The score that a rater gave a token in a sentence (the sentence is named by its id)."""

    sentence: str
    token: str
    score: float
    rater: str
    date: str = ""
    note: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What was rated: the sentence's id and the token's key."""
        return self.sentence, token_key(self.token)


def token_key(token: str) -> str:
    """The form under which a token is rated: case is ignored, because it depends on the model's vocabulary."""
    return unicodedata.normalize("NFC", token).casefold()


def read_ratings(path: Path, scale: Scale, sentences: Collection[str]) -> list[Rating]:
    """Read the ratings that ship with a probe.

    Args:
        path: A table with the columns sentence, token, score and rater, and optionally date and note.
        scale: The scale that every score must be on.
        sentences: The ids of the probe's sentences.

    Raises:
        MaterialsError: A row is wrong; the message names its line.
    """
    rows = read_table(path, ["sentence", "token", "score", "rater"], ["date", "note"])
    ratings = []
    for row in rows:
        if row["sentence"] not in sentences:
            raise refuse(path, row, f"there is no sentence {row['sentence']!r} in this probe.")
        try:
            score = scale.parse_score(row["score"])
        except ValueError as error:
            raise refuse(path, row, str(error)) from None
        row["token"] = token_key(row["token"])
        ratings.append(Rating(row["sentence"], row["token"], score, row["rater"], row["date"], row["note"]))
    require_unique(path, rows, "sentence", "token", "rater")
    return ratings


def combine_ratings(ratings: Sequence[Rating], aggregate: Aggregate) -> pl.DataFrame:
    """Combine the scores of all raters into one per sentence and token.

    Returns:
        The columns `sentence`, `key` (see `token_key`), `sigma` (the mean or median score), and `raters` (how many).
    """
    table = pl.DataFrame(
        [(*rating.key, rating.score) for rating in ratings],
        schema={"sentence": pl.String, "key": pl.String, "score": pl.Float64},
        orient="row",
    )
    score = pl.col("score").sort()  # one order of summation, so that the same ratings give the same bits
    sigma = score.mean() if aggregate == "mean" else score.median()
    return table.group_by("sentence", "key", maintain_order=True).agg(sigma.alias("sigma"), pl.len().alias("raters"))
