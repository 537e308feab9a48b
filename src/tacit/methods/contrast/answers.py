"""Answers from elsewhere, in the form in which a model would give them: a table of ranks, or the choices of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from tacit.methods.base import ANSWER_SCHEMA
from tacit.methods.contrast.items import BY_PEOPLE
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials, Item, require_word
from tacit.methods.contrast.settings import ContrastSettings
from tacit.tables import Row, csv_line, read_table, refuse, require_unique

__all__ = ["CHOICES", "given_answers"]

CHOICES = ("id", "choice", "rater")
"""The columns of a table of people's choices."""

_AnswerRow = dict[str, str | int | float]
_SCHEMA: dict[str, Any] = {"item": pl.String, "word": pl.String, "context": pl.String, **ANSWER_SCHEMA}


def given_answers(materials: ContrastMaterials, settings: ContrastSettings) -> dict[str, pl.DataFrame]:
    """The answers that the settings name, by who gave them; empty where a model is to be asked."""
    if settings.answers is not None:
        return {settings.answers.stem: _answers_from_ranks(materials, settings.answers)}
    if settings.people is not None:
        return {"people": _answers_from_choices(materials, settings.people)}
    return {}


def _answers_from_ranks(materials: ContrastMaterials, path: Path) -> pl.DataFrame:
    """A table of ranks: one row per item, with the word, its category and two ranks that count from 0.

    The columns are named after the probe's noun: adverb, category, adverb_rank, negation_rank for the intensifiers;
    `against_rank` may replace `negation_rank`. `context` (with or without) and `id` are optional.
    """
    noun = materials.noun
    rank_column, rival_column = f"{noun}_rank", "against_rank"
    rows = read_table(path, [noun, "category", rank_column], [rival_column, "context", "id"])
    if not any(row[rival_column] for row in rows):
        rival_column = "negation_rank"
        rows = read_table(path, [noun, "category", rank_column, rival_column], ["context", "id"])
    answers: list[_AnswerRow] = []
    for number, row in enumerate(rows):
        word = require_word(path, row, noun, materials.words)
        context = row["context"] or WITH
        if context not in (WITH, WITHOUT):
            raise refuse(path, row, f"the context must be {WITH!r} or {WITHOUT!r}, not {context!r}.")
        id_ = row["id"] or f"line {csv_line(path, row, number):05d}"
        keys: _AnswerRow = {"item": id_, "word": word.name, "context": context, "question": number}
        for part, (token, column) in enumerate(((word.name, rank_column), (word.rivals[0], rival_column))):
            answers.append({**keys, "part": part, "token": token, "rank": _read_rank(path, row, column) + 1})
    if any(row["id"] for row in rows):
        require_unique(path, rows, "id", "context")
    return _answer_table(answers, made="ranks given")


def _answers_from_choices(materials: ContrastMaterials, path: Path) -> pl.DataFrame:
    """A table of people's choices: the word that more people chose has rank 1, and both have rank 1 in a tie.

    The probability of a side is the share of people who chose it.
    """
    rows = read_table(path, CHOICES, ["note", "date"])
    require_unique(path, rows, "id", "rater")
    items = {item.id: item for item in materials.items}
    votes: dict[str, Counter[bool]] = {}
    for row in rows:
        if row["id"] not in items:
            raise refuse(path, row, f"this probe has no item {row['id']!r}. Use choices made for this probe.")
        votes.setdefault(row["id"], Counter())[_is_own_word(path, row, materials, items[row["id"]])] += 1
    people = len({row["rater"] for row in rows})
    answers = [
        answer
        for number, (id_, item_votes) in enumerate(sorted(votes.items()))
        for answer in _vote_answers(materials, items[id_], item_votes, number)
    ]
    return _answer_table(answers, made=f"{BY_PEOPLE} {people} {'person' if people == 1 else 'people'}")


def _vote_answers(materials: ContrastMaterials, item: Item, votes: Counter[bool], number: int) -> Iterator[_AnswerRow]:
    word = materials.words[item.word]
    for part, (own, token) in enumerate(((True, word.name), (False, word.rivals[0]))):
        yield {
            "item": item.id,
            "word": item.word,
            "context": WITH,
            "question": number,
            "part": part,
            "token": token,
            "probability": votes[own] / votes.total(),
            "rank": 1 if votes[own] >= votes[not own] else 2,
        }


def _is_own_word(path: Path, row: Row, materials: ContrastMaterials, item: Item) -> bool:
    word = materials.words[item.word]
    if row["choice"] in word.forms:
        return True
    if row["choice"] in word.rivals:
        return False
    raise refuse(path, row, f"the choice must be {word.name!r} or {word.rivals[0]!r}, not {row['choice']!r}.")


def _read_rank(path: Path, row: Row, column: str) -> int:
    if not row[column].isdecimal():
        problem = f"{column} must be a whole number from 0 (the most likely word), not {row[column]!r}."
        raise refuse(path, row, problem)
    return int(row[column])


def _answer_table(answers: list[_AnswerRow], made: str) -> pl.DataFrame:
    rows = [{**dict.fromkeys(_SCHEMA), "cut": 0, "made": made, **answer} for answer in answers]
    return pl.DataFrame(rows, schema=_SCHEMA)
