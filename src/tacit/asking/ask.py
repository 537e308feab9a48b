"""Asking many questions: each distinct question once, from the cache where its answer is known."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from tacit.arguments import require_path, wrong_argument
from tacit.asking.cache import Cache
from tacit.asking.local import LocalExecutor
from tacit.asking.progress import Watcher, watching
from tacit.models.base import Answerer
from tacit.questions import Answer, Question

__all__ = ["Executor", "Tally", "ask"]

# Large enough that sequences of every length fill their batches, small enough to keep memory use low.
WINDOW = 2048
_FLUSH_SECONDS = 2.0


@dataclass(slots=True)
class Tally:
    """Counts questions.

    Attributes:
        asked: How many questions were asked.
        cached: How many of them the cache or an identical question had already answered.
    """

    asked: int = 0
    cached: int = 0


class Executor(Protocol):
    """Decides where questions are answered: in this process or elsewhere."""

    def answer(self, model: Answerer, questions: Seq[Question]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of each question and its answer, in any order."""


def ask(
    model: Answerer,
    questions: Iterable[Question],
    *,
    cache: Cache | Path | Literal["default"] | None = "default",
    tally: Tally | None = None,
    progress: bool | str = False,
    total: int | None = None,
    executor: Executor | None = None,
) -> Iterator[Answer]:
    """Ask a model many questions.

    Args:
        model: A model, or anything else with a fingerprint that answers questions in order.
        questions: Any iterable; only a window of it is held in memory.
        cache: Where answers are stored, so that an interrupted job continues where it stopped; `None` stores none.
        tally: Counts the questions, and those whose answers were already known.
        progress: Whether to show rate and remaining time on a terminal; a text is shown as the title.
        total: How many questions there are, if known; needed for the remaining time if `questions` has no length.
        executor: Where questions are answered; by default in this process.

    Returns:
        One answer per question, in the order asked.
    """
    if not isinstance(getattr(model, "fingerprint", None), str) or not hasattr(model, "answer"):
        raise wrong_argument("model", "a model, such as tacit.load gives", model)
    if isinstance(questions, str | bytes) or not isinstance(questions, Iterable):
        raise wrong_argument("questions", "a list of questions, such as [tacit.Fill(...)]", questions)
    open_cache = _open(cache)
    try:
        with watching(progress, total if total is not None else _length(questions)) as watcher:
            window = _Window(model, executor or LocalExecutor(), open_cache, tally or Tally(), watcher)
            stream = iter(questions)
            while questions_ahead := list(islice(stream, WINDOW)):
                yield from window.answer(questions_ahead)
    finally:
        if open_cache is not None and open_cache is not cache:
            open_cache.close()


@dataclass(slots=True)
class _Window:
    """Answers one window of questions after another."""

    model: Answerer
    executor: Executor
    cache: Cache | None
    tally: Tally
    watcher: Watcher

    def answer(self, window: list[Question]) -> list[Answer]:
        """The answers to a window of questions, in order."""
        for question in window:
            if not isinstance(question, Question):
                raise wrong_argument("questions", "questions such as tacit.Fill(...) alone", question)
        distinct = list(dict.fromkeys(window))
        keys = {question: Cache.key(self.model.fingerprint, question) for question in distinct} if self.cache else {}
        known = self.cache.get(list(keys.values())) if self.cache else {}
        answers = {question: known[key] for question, key in keys.items() if key in known}
        unknown = [question for question in distinct if question not in answers]
        self.tally.asked += len(window)
        self.tally.cached += len(window) - len(unknown)
        self.watcher.advance(len(window) - len(unknown))
        answers.update(self._ask_model(unknown, keys))
        return [answers[question] for question in window]

    def _ask_model(self, unknown: list[Question], keys: dict[Question, bytes]) -> Iterator[tuple[Question, Answer]]:
        """Answers from the model. Those that arrived before an interruption are stored too."""
        if not unknown:
            return
        unsaved: list[tuple[bytes, Answer]] = []
        last_flush = time.monotonic()
        try:
            for index, answer in self.executor.answer(self.model, unknown):
                self.watcher.advance(1)
                yield unknown[index], answer
                if self.cache is None:
                    continue
                unsaved.append((keys[unknown[index]], answer))
                if time.monotonic() - last_flush > _FLUSH_SECONDS:
                    self.cache.put(unsaved)
                    unsaved, last_flush = [], time.monotonic()
        finally:
            if self.cache is not None and unsaved:
                self.cache.put(unsaved)


def _open(cache: Cache | Path | Literal["default"] | None) -> Cache | None:
    if cache is None or isinstance(cache, Cache):
        return cache
    require_path("cache", cache)
    return Cache(None if cache == "default" else Path(cache))


def _length(questions: Iterable[Question]) -> int | None:
    return len(questions) if isinstance(questions, Seq) else None
