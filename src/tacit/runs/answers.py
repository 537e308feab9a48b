"""Answers as one long table in a Parquet file, written as they arrive so that memory stays flat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import ANSWER_SCHEMA, KeyedQuestion
from tacit.questions import Answer, ChooseAnswer, ClassifyAnswer, FillAnswer, LikelihoodAnswer, RepresentAnswer

__all__ = ["AnswersWriter", "write_table"]

_VECTOR = {"vector": pl.List(pl.Float64)}
_PART_ROWS = 100_000
_GROUP_ROWS = 250_000

_Row = tuple[str | None, float | None, float | None, int | None, int | None, str | None]


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """A table as Parquet; the same table gives the same bytes."""
    frame.rechunk().write_parquet(path, compression="zstd", row_group_size=_GROUP_ROWS)


class AnswersWriter:
    """Takes answers in the order asked, and leaves one Parquet file. What it counts becomes the run's warnings."""

    def __init__(self, scratch: Path) -> None:
        self.questions = 0
        self.cut = 0
        self.unrepresentable = 0
        self._scratch = scratch
        self._parts: list[Path] = []
        self._schema: dict[str, Any] = {}
        self._keys: tuple[str, ...] = ()
        self._columns: list[list[Any]] = []

    def add(self, asked: KeyedQuestion, answer: Answer) -> None:
        """Take the answer to the next question."""
        if not self._schema:
            self._start(asked, answer)
        keys = self._key_values(asked)
        made, begin, cut = answer.scoring, getattr(answer, "begin", None), getattr(answer, "cut", 0)
        vector = (getattr(answer, "vector", None),) if "vector" in self._schema else ()
        for part, row in enumerate(_rows(answer)):
            cells = (*keys, self.questions, part, *row, made, begin, cut, *vector)
            for column, value in zip(self._columns, cells, strict=True):
                column.append(value)
            self.unrepresentable += isinstance(answer, ChooseAnswer) and row[1] is None
        self.questions += 1
        self.cut += cut > 0
        if len(self._columns[0]) >= _PART_ROWS:
            self._flush()

    def so_far(self) -> pl.DataFrame:
        """The answers up to now, for a method that chooses its next questions by them."""
        self._flush()
        return pl.read_parquet(self._parts)

    def finish(self, path: Path) -> None:
        """Join the parts into one file."""
        if not self._schema:
            raise TacitError("The probe asks no question of this model; look at its materials and settings.")
        self._flush()
        pl.scan_parquet(self._parts).sink_parquet(path, compression="zstd", row_group_size=_GROUP_ROWS)
        for part in self._parts:
            part.unlink()

    def warnings(self) -> tuple[str, ...]:
        """What a reader of the numbers should know about these answers."""
        said = []
        if self.cut:
            said.append(
                f"{self.cut} of {self.questions} texts were too long for the model and were cut in their middle."
            )
        if self.unrepresentable:
            said.append(
                f"{self.unrepresentable} words that were asked about cannot be written with the model's tokens."
            )
        return tuple(said)

    def _start(self, asked: KeyedQuestion, answer: Answer) -> None:
        self._keys = tuple(asked.keys)
        keys = {name: pl.Int64 if isinstance(value, int) else pl.String for name, value in asked.keys.items()}
        self._schema = {**keys, **ANSWER_SCHEMA, **(_VECTOR if isinstance(answer, RepresentAnswer) else {})}
        self._columns = [[] for _ in self._schema]

    def _key_values(self, asked: KeyedQuestion) -> tuple[str | int, ...]:
        if tuple(asked.keys) != self._keys:
            raise TacitError(f"All questions of a probe have the keys {self._keys}, not {tuple(asked.keys)}.")
        return tuple(asked.keys.values())

    def _flush(self) -> None:
        if not self._columns or not self._columns[0]:
            return
        path = self._scratch / f"answers-{len(self._parts):06}.parquet"
        columns = zip(self._schema.items(), self._columns, strict=True)
        pl.DataFrame([pl.Series(name, values, dtype) for (name, dtype), values in columns]).write_parquet(path)
        self._parts.append(path)
        for column in self._columns:
            column.clear()


def _rows(answer: Answer) -> Iterator[_Row]:
    """Token, probability, logprob, rank, pieces and role of each part of an answer."""
    match answer:
        case FillAnswer(fillings=fillings):
            yield from ((one.token, one.probability, None, one.rank, 1, None) for one in fillings)
        case ChooseAnswer(choices=choices):
            yield from ((one.word, one.probability, None, one.rank, len(one.tokens), None) for one in choices)
        case LikelihoodAnswer(tokens=(), mean=mean, count=count):
            yield (None, None, mean, None, count, None)
        case LikelihoodAnswer(tokens=tokens, count=count):
            yield from ((one.token, None, one.logprob, None, count, one.role) for one in tokens)
        case ClassifyAnswer(labels=labels):
            yield from ((one.label, one.probability, None, None, None, None) for one in labels)
        case RepresentAnswer(tokens=tokens):
            yield (" ".join(tokens), None, None, None, len(tokens), None)
