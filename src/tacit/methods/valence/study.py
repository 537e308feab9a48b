"""What a study printed: its fillings with their probabilities and scores, and its own beta and delta."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import polars as pl

from tacit.errors import MaterialsError
from tacit.ratings import Rating, Scale, token_key
from tacit.tables import Row, read_table, refuse, require_unique

__all__ = ["printed_ratings", "read_printed", "read_published"]

_PRINTED = ("model", "sentence", "rank", "token", "p", "sigma")
_PUBLISHED = ("model", "sentence", "beta", "delta")


def read_printed(path: Path, scale: Scale, sentences: Collection[str]) -> pl.DataFrame:
    """The fillings that a study printed, with the columns model, sentence, token, rank, p and sigma."""
    rows = read_table(path, _PRINTED)
    require_unique(path, rows, "model", "sentence", "rank")
    return pl.DataFrame([_read_filling(path, row, scale, sentences) for row in rows])


def read_published(path: Path, sentences: Collection[str]) -> pl.DataFrame:
    """The beta and delta that a study published, with the columns model, sentence, beta and delta."""
    rows = read_table(path, _PUBLISHED)
    require_unique(path, rows, "model", "sentence")
    return pl.DataFrame([_read_result(path, row, sentences) for row in rows])


def printed_ratings(printed: pl.DataFrame) -> list[Rating]:
    """The printed scores as ratings; a token that has two scores in one sentence is refused."""
    scores: dict[tuple[str, str], float] = {}
    for sentence, token, sigma in printed.select("sentence", "token", "sigma").iter_rows():
        if scores.setdefault((sentence, token_key(token)), sigma) != sigma:
            raise MaterialsError(f"{token!r} has two different printed scores in sentence {sentence}. Keep one.")
    return [Rating(sentence, token, sigma, "as printed") for (sentence, token), sigma in scores.items()]


def _read_filling(path: Path, row: Row, scale: Scale, sentences: Collection[str]) -> dict[str, str | int | float]:
    _require_sentence(path, row, sentences)
    p, rank = _number(path, row, "p"), _number(path, row, "rank")
    if not 0 <= p <= 1:
        raise refuse(path, row, f"p must be between 0 and 1, not {row['p']}.")
    if not rank.is_integer():
        raise refuse(path, row, f"rank must be a whole number, not {row['rank']}.")
    try:
        sigma = scale.parse_score(row["sigma"], "sigma")
    except ValueError as error:
        raise refuse(path, row, str(error)) from None
    names: dict[str, str | int | float] = {name: row[name] for name in ("model", "sentence", "token")}
    return {**names, "rank": int(rank), "p": p, "sigma": sigma}


def _read_result(path: Path, row: Row, sentences: Collection[str]) -> dict[str, str | float]:
    _require_sentence(path, row, sentences)
    names: dict[str, str | float] = {name: row[name] for name in ("model", "sentence")}
    return {**names, **{name: _number(path, row, name) for name in ("beta", "delta")}}


def _require_sentence(path: Path, row: Row, sentences: Collection[str]) -> None:
    if row["sentence"] not in sentences:
        raise refuse(path, row, f"there is no sentence {row['sentence']!r} in this probe.")


def _number(path: Path, row: Row, column: str) -> float:
    try:
        return float(row[column])
    except ValueError:
        raise refuse(path, row, f"{column} must be a number, not {row[column]!r}.") from None
