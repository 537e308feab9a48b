"""One person's score of one token in one sentence, and how the scores of several people become one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from tacit.ratings.scale import Scale
from tacit.tables import read_csv, refuse, require_unique

__all__ = ["Aggregate", "Rating", "combined", "read_ratings", "token_key"]

Aggregate = Literal["mean", "median"]


@dataclass(frozen=True, slots=True)
class Rating:
    """The score that a rater gave a token in a sentence (named by its id)."""

    sentence: str
    token: str
    score: float
    rater: str
    date: str = ""
    note: str = ""


def token_key(token: str) -> str:
    """The spelling under which a token is rated: capitals, which depend on the model's vocabulary, are folded."""
    return unicodedata.normalize("NFC", token).casefold()


def read_ratings(path: Path, scale: Scale, sentences: Sequence[str]) -> list[Rating]:
    """The ratings that ship with a probe; a row that cannot be right is refused by its line."""
    rows = read_csv(path, ["sentence", "token", "score", "rater"], ["date", "note"])
    known, ratings = set(sentences), []
    for row in rows:
        if row["sentence"] not in known:
            raise refuse(path, row, f"there is no sentence {row['sentence']!r} in this probe.")
        try:
            score = scale.score(row["score"])
        except ValueError as error:
            raise refuse(path, row, str(error)) from None
        row["token"] = token_key(row["token"])
        ratings.append(Rating(row["sentence"], row["token"], score, row["rater"], row["date"], row["note"]))
    require_unique(path, rows, "sentence", "token", "rater")
    return ratings


def combined(ratings: Sequence[Rating], aggregate: Aggregate) -> pl.DataFrame:
    """One sigma for each sentence and token: the mean or the median over its raters."""
    table = pl.DataFrame(
        {
            "sentence": [rating.sentence for rating in ratings],
            "key": [token_key(rating.token) for rating in ratings],
            "score": [rating.score for rating in ratings],
        },
        schema={"sentence": pl.String, "key": pl.String, "score": pl.Float64},
    )
    score = pl.col("score").sort()  # summed in one order, so that the same ratings give the same bits
    sigma = score.mean() if aggregate == "mean" else score.median()
    return table.group_by("sentence", "key", maintain_order=True).agg(sigma.alias("sigma"), pl.len().alias("raters"))
