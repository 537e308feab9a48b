"""Answers as one long table in a Parquet file, written as they arrive so that memory use stays flat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import MaterialsError, RunError
from tacit.methods.base import ANSWER_SCHEMA, KeyedQuestion
from tacit.questions import Answer, ChooseAnswer, ClassifyAnswer, FillAnswer, LikelihoodAnswer, RepresentAnswer

__all__ = ["AnswersWriter", "read_table", "write_table"]

_VECTOR = {"vector": pl.List(pl.Float64)}
_PART_ROWS = 100_000
_GROUP_ROWS = 250_000

_Row = tuple[str | None, float | None, float | None, int | None, int | None, str | None]


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write a table as Parquet; the same table gives the same bytes."""
    frame.rechunk().write_parquet(_polars_path(path), compression="zstd", row_group_size=_GROUP_ROWS)


def read_table(path: Path) -> pl.DataFrame:
    """Read a Parquet file. The path is a path, never a pattern: `exp[1]` is a folder like any other."""
    return _scan(path).collect()


def _scan(path: Path) -> pl.LazyFrame:
    return pl.scan_parquet(_polars_path(path), glob=False, hive_partitioning=False)


def _polars_path(path: Path) -> Path:
    """The path as polars takes it: absolute, and valid text, which names on Linux need not be."""
    absolute = path.absolute()
    try:
        str(absolute).encode()
    except UnicodeEncodeError:
        raise RunError(
            f"The folder's name {str(absolute.parent)!r} is not valid UTF-8: no tables can be kept there. Rename it."
        ) from None
    return absolute


class AnswersWriter:
    """Takes answers in the order asked and leaves one Parquet file; counts what the run should warn about.

    The keys of the questions and the columns of `ANSWER_SCHEMA` are there from the first answer on. Vectors are long,
    so their column is added when the first of them arrives, and is null for the answers before it.
    """

    def __init__(self, scratch: Path) -> None:
        """Name the folder that holds the parts until `finish` joins them."""
        self.questions = 0
        self.cut = 0
        self.unrepresentable = 0
        self._scratch = scratch
        self._parts: list[Path] = []
        self._parts_differ = False
        self._schema: dict[str, Any] = {}
        self._keys: dict[str, type[str | int]] = {}
        self._columns: list[list[Any]] = []

    def add(self, asked: KeyedQuestion, answer: Answer) -> None:
        """Take the answer to the next question."""
        if not self._schema:
            self._start(asked)
        if isinstance(answer, RepresentAnswer) and "vector" not in self._schema:
            self._add_vector_column()
        keys = self._key_values(asked)
        begin, cut = _begin(answer), _cut(answer)
        vector = (_vector(answer),) if "vector" in self._schema else ()
        for part, row in enumerate(_rows(answer)):
            cells = (*keys, self.questions, part, *row, answer.scoring, begin, cut, *vector)
            for column, value in zip(self._columns, cells, strict=True):
                column.append(value)
            self.unrepresentable += isinstance(answer, ChooseAnswer) and row[1] is None
        self.questions += 1
        self.cut += cut > 0
        if len(self._columns[0]) >= _PART_ROWS:
            self._flush()

    def so_far(self) -> pl.DataFrame:
        """The answers up to now, for a method that chooses its next questions by them."""
        return self._all_parts().collect()

    def finish(self, path: Path) -> None:
        """Join the parts into one file."""
        if not self._schema:
            raise MaterialsError("The probe asks this model no question. Check its materials and settings.")
        self._all_parts().sink_parquet(_polars_path(path), compression="zstd", row_group_size=_GROUP_ROWS)
        for part in self._parts:
            part.unlink()

    def warnings(self) -> tuple[str, ...]:
        """What a reader of the numbers should know about these answers."""
        warnings = []
        if self.cut:
            warnings.append(
                f"{self.cut} of {self.questions} texts were too long for the model and were cut in the middle."
            )
        if self.unrepresentable:
            warnings.append(f"{self.unrepresentable} candidate words cannot be written with the model's tokens.")
        return tuple(warnings)

    def _start(self, asked: KeyedQuestion) -> None:
        self._keys = {name: int if isinstance(value, int) else str for name, value in asked.keys.items()}
        keys = {name: pl.Int64 if kind is int else pl.String for name, kind in self._keys.items()}
        self._schema = {**keys, **ANSWER_SCHEMA}
        self._columns = [[] for _ in self._schema]

    def _add_vector_column(self) -> None:
        self._flush()
        self._parts_differ = bool(self._parts)
        self._schema = {**self._schema, **_VECTOR}
        self._columns.append([])

    def _key_values(self, asked: KeyedQuestion) -> tuple[str | int, ...]:
        if asked.keys.keys() != self._keys.keys():
            raise MaterialsError(
                f"A question has the keys {', '.join(asked.keys)}, the first one had {', '.join(self._keys)}. "
                "Give all questions of a method the same keys."
            )
        for name, kind in self._keys.items():
            if not isinstance(asked.keys[name], kind):
                raise MaterialsError(
                    f"The key {name!r} of a question is {asked.keys[name]!r}, but of the first one it was "
                    f"{'a number' if kind is int else 'text'}. Give a key the same type in all questions."
                )
        return tuple(asked.keys[name] for name in self._keys)

    def _all_parts(self) -> pl.LazyFrame:
        """All parts as one table."""
        self._flush()
        # Parts from before the first vector lack that column: a diagonal concat fills it with nulls.
        return pl.concat([_scan(part) for part in self._parts], how="diagonal" if self._parts_differ else "vertical")

    def _flush(self) -> None:
        if not self._columns or not self._columns[0]:
            return
        path = self._scratch / f"answers-{len(self._parts):06}.parquet"
        columns = zip(self._schema.items(), self._columns, strict=True)
        pl.DataFrame([pl.Series(name, values, dtype) for (name, dtype), values in columns]).write_parquet(
            _polars_path(path)
        )
        self._parts.append(path)
        for column in self._columns:
            column.clear()


def _rows(answer: Answer) -> Iterator[_Row]:
    """Token, probability, logprob, rank, pieces and role of each part of an answer."""
    match answer:
        case FillAnswer(fillings=fillings):
            yield from ((filling.token, filling.probability, None, filling.rank, 1, None) for filling in fillings)
        case ChooseAnswer(choices=choices):
            for choice in choices:
                yield (choice.word, choice.probability, None, choice.rank, len(choice.tokens), None)
        case LikelihoodAnswer(tokens=(), mean=mean, count=count):
            yield (None, None, mean, None, count, None)
        case LikelihoodAnswer(tokens=tokens, count=count):
            yield from ((token.token, None, token.logprob, None, count, token.role) for token in tokens)
        case ClassifyAnswer(labels=labels):
            yield from ((label.label, label.probability, None, None, None, None) for label in labels)
        case RepresentAnswer(tokens=tokens):
            yield (" ".join(tokens), None, None, None, len(tokens), None)


def _begin(answer: Answer) -> str | None:
    return None if isinstance(answer, ClassifyAnswer | RepresentAnswer) else answer.begin


def _cut(answer: Answer) -> int:
    return 0 if isinstance(answer, LikelihoodAnswer | RepresentAnswer) else answer.cut


def _vector(answer: Answer) -> tuple[float, ...] | None:
    return answer.vector if isinstance(answer, RepresentAnswer) else None
