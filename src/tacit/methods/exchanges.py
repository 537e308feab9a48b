"""What was asked and what the model answered, as a reader sees it: a sentence with its blank, and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import polars as pl

from tacit.questions import Choose, Classify, Fill, Question

if TYPE_CHECKING:
    from tacit.methods.base import KeyedQuestion

__all__ = ["MOST_EXCHANGES", "Exchange", "Word", "list_exchanges", "probability_text"]

MOST_EXCHANGES = 3000
"""More sentences nobody reads on a page; all answers are in the run's `answers.parquet`."""
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Word:
    """One word of an answer.

    Attributes:
        word: The word, or the label of a classifier.
        text: How likely it is, as people read it.
        weight: The same as a number from 0 to 1, for a bar; None where there is none to draw.
    """

    word: str
    text: str
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question with what the model answered.

    Attributes:
        keys: Which item of the materials it is about.
        text: What the model was asked, with its blank.
        words: The likeliest words of the answer, the likeliest first.
    """

    keys: dict[str, str]
    text: str
    words: tuple[Word, ...]


def list_exchanges(questions: Iterable[KeyedQuestion], answers: pl.DataFrame) -> list[Exchange]:
    """The questions that were answered, with their answers, in the order of the questions.

    Args:
        questions: The questions to show.
        answers: The answers of a run.
    """
    asked = list(islice(questions, MOST_EXCHANGES))
    if not asked:
        return []
    names = list(asked[0].keys)
    keys = pl.DataFrame([{**question.keys, "_place": place} for place, question in enumerate(asked)])
    columns = [*names, "token", "probability", "logprob"]
    parts = answers.select(columns).join(keys, on=names, how="inner", nulls_equal=True)
    by_place = parts.sort("_place", maintain_order=True).partition_by("_place", as_dict=True, maintain_order=True)
    return [
        Exchange(
            {name: str(value) for name, value in asked[place].keys.items()},
            _text(asked[place].question),
            tuple(islice(_words(asked[place].question, rows.iter_rows(named=True)), _MOST_WORDS)),
        )
        for place, rows in ((int(key[0]), rows) for key, rows in by_place.items())
    ]


def probability_text(probability: float) -> str:
    """A probability with two digits: 34%, 3.4%, 0.34%, and below a tenth of a percent only that."""
    percent = 100 * probability
    if percent < 0.1:
        return "<0.1%"
    digits = 0 if percent >= 9.95 else 1 if percent >= 0.995 else 2
    return f"{percent:.{digits}f}%"


def _text(question: Question) -> str:
    before = getattr(question, "context", "") or getattr(question, "lead", "")
    return f"{before} {question.text}".strip()


def _words(question: Question, parts: Iterator[dict[str, Any]]) -> Iterator[Word]:
    if not isinstance(question, Fill | Choose | Classify):
        scores = [part["logprob"] for part in parts if part["logprob"] is not None]
        if scores:
            yield Word("", f"log-likelihood {sum(scores) / len(scores):.2f} per token")
        return
    for part in sorted(parts, key=lambda part: 1.0 if part["probability"] is None else -part["probability"]):
        word = str(part["token"])
        if part["probability"] is None:
            yield Word(word, "cannot be written")
        else:
            yield Word(word, probability_text(part["probability"]), part["probability"])
