"""Asking many questions: each distinct question once, from the cache where its answer is known."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Literal

from tacit.arguments import require_path, wrong_argument
from tacit.asking.cache import Cache
from tacit.asking.executors import Executor
from tacit.asking.local import LocalExecutor
from tacit.asking.progress import Watcher, watching
from tacit.models.base import Answerer
from tacit.questions import Answer, Question

__all__ = ["Tally", "ask"]

_LOGGER = logging.getLogger(__name__)
# Large enough that sequences of every length fill their batches, small enough to keep memory use low.
WINDOW = 2048
SMALLEST_WINDOW = 512
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
        remaining = iter(questions)
        first = list(islice(remaining, 1))
        # Where nothing is asked, as in the last round of a method that asks in rounds, there is nothing to show.
        shown = progress if first else False
        with watching(shown, total if total is not None else _length(questions)) as watcher:
            asking = _Asking(model, executor or LocalExecutor(), open_cache, tally or Tally(), watcher)
            began, before = time.monotonic(), replace(asking.tally)
            yield from asking.answers(chain(first, remaining))
            _log(asking, before, time.monotonic() - began)
    finally:
        if open_cache is not None and open_cache is not cache:
            open_cache.close()


@dataclass(slots=True)
class _Window:
    """Questions that are being answered.

    Attributes:
        questions: The questions, in the order asked.
        keys: Their keys in the cache; empty if there is none.
        answers: What is known so far.
        unknown: The questions that the executor was given.
        arriving: Their answers, as they arrive.
        elsewhere: Questions that an earlier window, still unfinished when this one started, was already asking.
    """

    questions: list[Question]
    keys: dict[Question, bytes]
    answers: dict[Question, Answer]
    unknown: list[Question]
    arriving: Iterator[tuple[int, Answer]]
    elsewhere: dict[Question, _Window]


@dataclass(slots=True)
class _Asking:
    """Answers windows of questions, as many at once as the executor works on."""

    model: Answerer
    executor: Executor
    cache: Cache | None
    tally: Tally
    watcher: Watcher

    def answers(self, questions: Iterator[Question]) -> Iterator[Answer]:
        """The answers to all questions, in order.

        Windows are the same wherever they are answered: a batch of other sequences can round the last bit differently.
        """
        started: deque[_Window] = deque()
        asked = 0
        while ahead := list(islice(questions, window_size(asked))):
            asked += len(ahead)
            started.append(self._start(ahead, started))
            if len(started) >= self.executor.ahead:
                yield from self._finish(started.popleft())
        while started:
            yield from self._finish(started.popleft())

    def _start(self, questions: list[Question], started: deque[_Window]) -> _Window:
        """Look up what is known, and hand the rest to the executor."""
        for question in questions:
            if not isinstance(question, Question):
                raise wrong_argument("questions", "questions such as tacit.Fill(...) alone", question)
        distinct = list(dict.fromkeys(questions))
        keys = {question: Cache.key(self.model.fingerprint, question) for question in distinct} if self.cache else {}
        known = self.cache.get(list(keys.values())) if self.cache else {}
        answers = {question: known[key] for question, key in keys.items() if key in known}
        asked_already = {question: window for window in started for question in window.unknown} if self.cache else {}
        elsewhere = {question: asked_already[question] for question in distinct if question in asked_already}
        unknown = [question for question in distinct if question not in answers and question not in elsewhere]
        self.tally.asked += len(questions)
        self.tally.cached += len(questions) - len(unknown)
        self.watcher.advance(len(questions) - len(unknown))
        arriving = self.executor.start(self.model, unknown) if unknown else iter(())
        return _Window(questions, keys, answers, unknown, arriving, elsewhere)

    def _finish(self, window: _Window) -> list[Answer]:
        """Wait for the answers of a window. Those that arrived before an interruption are stored too."""
        unsaved: list[tuple[bytes, Answer]] = []
        last_flush = time.monotonic()
        try:
            for index, answer in window.arriving:
                self.watcher.advance(1)
                window.answers[window.unknown[index]] = answer
                if self.cache is None:
                    continue
                unsaved.append((window.keys[window.unknown[index]], answer))
                if time.monotonic() - last_flush > _FLUSH_SECONDS:
                    self.cache.put(unsaved)
                    unsaved, last_flush = [], time.monotonic()
        finally:
            if self.cache is not None and unsaved:
                self.cache.put(unsaved)
        # An earlier window is always finished before a later one.
        window.answers.update({question: other.answers[question] for question, other in window.elsewhere.items()})
        return [window.answers[question] for question in window.questions]


def _log(asking: _Asking, before: Tally, seconds: float) -> None:
    """Say how many questions were asked, how fast, and how many answers were known."""
    asked, known = asking.tally.asked - before.asked, asking.tally.cached - before.cached
    if not asked:
        return
    where = "no cache" if asking.cache is None else f"cache {asking.cache.path}"
    rate = asked / seconds if seconds else 0.0
    what = f"{asked:,} questions ({asking.executor.title}) in {seconds:.1f} s, {rate:,.0f} per second"
    _LOGGER.info("Asked %s %s; %s were known (%s)", asking.model.name, what, f"{known:,}", where)


def window_size(asked: int) -> int:
    """How many questions are answered together next: few at first, so that workers can share a small job."""
    size = SMALLEST_WINDOW
    while 16 * size <= asked:
        size *= 2
    return min(size, WINDOW)


def _open(cache: Cache | Path | Literal["default"] | None) -> Cache | None:
    if cache is None or isinstance(cache, Cache):
        return cache
    require_path("cache", cache)
    return Cache(None if cache == "default" else Path(cache))


def _length(questions: Iterable[Question]) -> int | None:
    return len(questions) if isinstance(questions, Seq) else None
