"""Asking a probe's questions of a model and keeping the answers, in one pass or in rounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tacit.asking import Tally, ask
from tacit.methods.base import KeyedQuestion
from tacit.questions import Choose, Fill, Question
from tacit.runs.answers import AnswersWriter
from tacit.runs.plan import Prepared

__all__ = ["Asking", "ask_all"]


@dataclass(frozen=True)
class Asking:
    """Whom to ask, where answers are cached and counted; a title shows progress towards the total, if it is known."""

    model: Any
    cache: Any
    tally: Tally
    title: str
    total: int | None


def ask_all(prepared: Prepared, asking: Asking, writer: AnswersWriter) -> None:
    """Ask everything that the probe asks of this model; a method that looks at answers first is asked in rounds."""
    method, about = prepared.method, (prepared.materials, prepared.settings, asking.model.family)
    shortlist = prepared.settings.shortlist if asking.model.family == "causal" else None
    answers = None
    while True:
        before = writer.questions
        _ask(_shortened(method.next_questions(*about, answers), shortlist), asking, writer)
        if writer.questions == before:
            return
        answers = writer.so_far()


def _shortened(asked: Iterable[KeyedQuestion], shortlist: int | None) -> Iterator[KeyedQuestion]:
    """The same questions, those about a blank with the shortlist that was set."""
    for one in asked:
        if shortlist is not None and isinstance(one.question, Fill | Choose) and one.question.shortlist != shortlist:
            yield KeyedQuestion(one.keys, replace(one.question, shortlist=shortlist))
        else:
            yield one


def _ask(asked: Iterable[KeyedQuestion], asking: Asking, writer: AnswersWriter) -> None:
    under_way: deque[KeyedQuestion] = deque()

    def questions() -> Iterator[Question]:
        for one in asked:
            under_way.append(one)
            yield one.question

    left = None if asking.total is None else asking.total - writer.questions
    how: dict[str, Any] = {"progress": asking.title, "total": left}
    for answer in ask(asking.model, questions(), cache=asking.cache, tally=asking.tally, **how):
        writer.add(under_way.popleft(), answer)
