"""Asking many questions of one model: each distinct question once, batched, from the cache where it is known."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from tacit.asking.cache import Cache
from tacit.asking.local import LocalExecutor
from tacit.asking.progress import Watcher, watching
from tacit.models.base import Model
from tacit.questions import Answer, Question

__all__ = ["Executor", "Tally", "ask"]

# Enough questions that sequences of every length fill their batches, few enough that memory stays small.
WINDOW = 2048
_FLUSH_SECONDS = 2.0


@dataclass(slots=True)
class Tally:
    """How many questions were asked in all, and how many of them the cache or an equal question had answered."""

    asked: int = 0
    cached: int = 0


class Executor(Protocol):
    """Where questions are answered: in this process, or elsewhere."""

    def answer(self, model: Model, questions: Seq[Question]) -> Iterator[tuple[int, Answer]]:
        """Each answer with the place of its question, in whatever order they are finished."""


def ask(
    model: Model,
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
        model: Who is asked.
        questions: Any iterable; a bounded window of it is held in memory.
        cache: Where answers are kept, so that an interrupted job continues where it stopped; `None` keeps none.
        tally: Counts questions and answers that were known already.
        progress: Whether to show rate and time left on a terminal; a text becomes the title.
        total: How many questions there are, where that is known and `questions` has no length.
        executor: Where questions are answered; by default in this process.

    Returns:
        One answer per question, in the order asked.
    """
    opened = _open(cache)
    try:
        with watching(progress, total if total is not None else _length(questions)) as watcher:
            window = _Window(model, executor or LocalExecutor(), opened, tally or Tally(), watcher)
            stream = iter(questions)
            while asked := list(islice(stream, WINDOW)):
                yield from window.ask(asked)
    finally:
        if opened is not None and opened is not cache:
            opened.close()


@dataclass(slots=True)
class _Window:
    """Asks one window of questions after the other."""

    model: Model
    executor: Executor
    cache: Cache | None
    tally: Tally
    watcher: Watcher

    def ask(self, window: list[Question]) -> list[Answer]:
        """The answers to a window of questions, from the cache where it knows them."""
        distinct = list(dict.fromkeys(window))
        keys = {question: Cache.key(self.model.fingerprint, question) for question in distinct} if self.cache else {}
        known = self.cache.get(list(keys.values())) if self.cache else {}
        answers = {question: known[key] for question, key in keys.items() if key in known}
        unknown = [question for question in distinct if question not in answers]
        self.tally.asked += len(window)
        self.tally.cached += len(window) - len(unknown)
        self.watcher.advance(len(window) - len(unknown))
        answers.update(self._fresh(unknown, keys))
        return [answers[question] for question in window]

    def _fresh(self, unknown: list[Question], keys: dict[Question, bytes]) -> Iterator[tuple[Question, Answer]]:
        """Answers of the model; also when interrupted, what has been answered is stored and not asked again."""
        if not unknown:
            return
        unsaved: list[tuple[bytes, Answer]] = []
        saved = time.monotonic()
        try:
            for index, answer in self.executor.answer(self.model, unknown):
                self.watcher.advance(1)
                yield unknown[index], answer
                if self.cache is None:
                    continue
                unsaved.append((keys[unknown[index]], answer))
                if time.monotonic() - saved > _FLUSH_SECONDS:
                    self.cache.put(unsaved)
                    unsaved, saved = [], time.monotonic()
        finally:
            if self.cache is not None and unsaved:
                self.cache.put(unsaved)


def _open(cache: Cache | Path | Literal["default"] | None) -> Cache | None:
    if cache is None or isinstance(cache, Cache):
        return cache
    return Cache(None if cache == "default" else Path(cache))


def _length(questions: Iterable[Question]) -> int | None:
    return len(questions) if isinstance(questions, Seq) else None
