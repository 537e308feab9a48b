"""Models that a third party could write: they answer from a table and know nothing of torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tacit.models import Family, Model
from tacit.questions import Answer, Choice, Choose, ChooseAnswer, Fill, FillAnswer, Filling, Question

TABLE = {"It was [MASK]": {"great": 0.5, "terrible": 0.25}, "She is [MASK]": {"kind": 0.75, "poor": 0.125}}
DEFAULT = {"the": 0.5, "a": 0.25}


def probabilities(text: str) -> dict[str, float]:
    """The words that may fill the blank of a text."""
    return TABLE.get(text.removesuffix("."), DEFAULT)


class TableModel(Model):
    """A model that extends `Model`, fills blanks and refuses everything else."""

    name = "table"
    family: Family = "masked"
    fingerprint = "table-1"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def describe(self) -> dict[str, Any]:
        """How many texts the table has."""
        return {"texts": len(TABLE)}

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Look up each text."""
        for question in questions:
            self.asked.append(question)
            if isinstance(question, Fill):
                ranked = enumerate(probabilities(question.text).items(), start=1)
                fillings = tuple(Filling(token, probability, rank) for rank, (token, probability) in ranked)
                yield FillAnswer(fillings[: question.top], "table")
            elif isinstance(question, Choose):
                table = probabilities(question.text)
                yield ChooseAnswer(tuple(Choice(w, table.get(w), None, (w,)) for w in question.words), "table")
            else:
                raise self.refuse("only fills blanks")


class PlainAnswerer:
    """Something that does not extend `Model`, but has all that `tacit.ask` needs."""

    name = "plain"
    family: Family = "causal"
    fingerprint = "plain-1"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def describe(self) -> dict[str, Any]:
        """Nothing to add."""
        return {}

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Repeat the last word before the blank."""
        for question in questions:
            self.asked.append(question)
            yield FillAnswer((Filling(question.text.split()[-2], 1.0, 1),), "echo")
