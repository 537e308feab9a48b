"""Answers that came from elsewhere: a table of ranks, or the choices of people, as if a model had been asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import ANSWER_SCHEMA
from tacit.methods.contrast.items import BY_PEOPLE, WITH, WITHOUT
from tacit.methods.contrast.materials import ContrastMaterials, Item, known_word
from tacit.tables import Row, read_csv, refuse, require_unique

__all__ = ["CHOICES", "answers_from_choices", "answers_from_csv"]

CHOICES = ("id", "choice", "rater")

_SCHEMA: dict[str, Any] = {"item": pl.String, "word": pl.String, "context": pl.String, **ANSWER_SCHEMA}


def answers_from_csv(materials: ContrastMaterials, path: Path) -> pl.DataFrame:
    """Ranks that somebody else found: a row an item, with the word, its category and two ranks that count from 0.

    The columns are named by the probe's noun: adverb, category, adverb_rank, negation_rank for the intensifiers, and
    `against_rank` may stand for `negation_rank`. `context` (with or without) and `id` may be given too.
    """
    noun = materials.noun
    own, other = f"{noun}_rank", _against_heading(path)
    rows = read_csv(path, [noun, "category", own, other], ["context", "id"])
    asked: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        word = known_word(path, row, noun, materials.words)
        context = row["context"] or WITH
        if context not in (WITH, WITHOUT):
            raise refuse(path, row, f"the context must be {WITH!r} or {WITHOUT!r}, not {context!r}.")
        keys = {"item": row["id"] or _numbered(row), "word": word.name, "context": context, "question": number}
        for part, (token, column) in enumerate(((word.name, own), (word.against[0], other))):
            asked.append({**keys, "part": part, "token": token, "rank": _rank(path, row, column) + 1})
    if any(row["id"] for row in rows):
        require_unique(path, rows, "id", "context")
    return _answers(asked, made="ranks given")


def answers_from_choices(materials: ContrastMaterials, path: Path) -> pl.DataFrame:
    """What people chose: rows of item id, choice and rater; the word that more people chose has rank 1.

    The probability is the share of people who chose a side. As many on both sides is a tie, both with rank 1.
    """
    rows = read_csv(path, CHOICES, ["note", "date"])
    require_unique(path, rows, "id", "rater")
    items = {item.id: item for item in materials.items}
    votes: dict[str, Counter[bool]] = {}
    for row in rows:
        if row["id"] not in items:
            raise refuse(path, row, f"there is no item {row['id']!r} in this probe.")
        votes.setdefault(row["id"], Counter())[_chose_own(path, row, materials, items[row["id"]])] += 1
    people = len({row["rater"] for row in rows})
    asked = [
        cell
        for number, (id_, counted) in enumerate(sorted(votes.items()))
        for cell in _voted(materials, items[id_], counted, number)
    ]
    return _answers(asked, made=f"{BY_PEOPLE} {people} {'person' if people == 1 else 'people'}")


def _voted(materials: ContrastMaterials, item: Item, votes: Counter[bool], number: int) -> list[dict[str, Any]]:
    word = materials.words[item.word]
    keys = {"item": item.id, "word": item.word, "context": WITH, "question": number}
    return [
        {
            **keys,
            "part": part,
            "token": token,
            "probability": votes[own] / votes.total(),
            "rank": 1 if votes[own] >= votes[not own] else 2,
        }
        for part, (own, token) in enumerate(((True, word.name), (False, word.against[0])))
    ]


def _chose_own(path: Path, row: Row, materials: ContrastMaterials, item: Item) -> bool:
    word = materials.words[item.word]
    if row["choice"] in word.words:
        return True
    if row["choice"] in word.against:
        return False
    raise refuse(path, row, f"the choice must be {word.name!r} or {word.against[0]!r}, not {row['choice']!r}.")


def _rank(path: Path, row: Row, column: str) -> int:
    if not row[column].isdecimal():
        raise refuse(path, row, f"{column} must be a whole number from 0 (the likeliest), not {row[column]!r}.")
    return int(row[column])


def _against_heading(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            heading = file.readline()
    except (OSError, UnicodeDecodeError):
        raise TacitError(f"{path} cannot be read as a CSV file in UTF-8; give the table of ranks.") from None
    return "against_rank" if "against_rank" in heading else "negation_rank"


def _numbered(row: Row) -> str:
    return f"line {int(row['line']):05d}"


def _answers(asked: list[dict[str, Any]], made: str) -> pl.DataFrame:
    rows = [{**dict.fromkeys(_SCHEMA), "cut": 0, "made": made, **row} for row in asked]
    return pl.DataFrame(rows, schema=_SCHEMA)
