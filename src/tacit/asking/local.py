"""Asking many questions of one model: each distinct question once, batched, from the cache where it is known."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from tacit.asking.cache import Cache
from tacit.asking.progress import Watcher, watching
from tacit.models.model import Model
from tacit.models.sequences import Conversation, Reading, Sequence
from tacit.questions import Answer, Question

__all__ = ["Tally", "ask"]

# Enough questions that sequences of every length fill their batches, few enough that memory stays small.
WINDOW = 2048
_FLUSH_SECONDS = 2.0


@dataclass(slots=True)
class Tally:
    """How many questions were asked in all, and how many of them the cache or an equal question had answered."""

    asked: int = 0
    cached: int = 0


def ask(
    model: Model,
    questions: Iterable[Question],
    *,
    cache: Cache | Path | Literal["default"] | None = "default",
    tally: Tally | None = None,
    progress: bool | str = False,
    total: int | None = None,
) -> Iterator[Answer]:
    """One answer a question, in the order asked.

    Takes any iterable and holds a bounded window of it. Answers are kept in a cache (`None`: none is kept), so that an
    interrupted job continues where it stopped. `progress` shows rate and time left on a terminal.
    """
    opened = _open(cache)
    counted = tally if tally is not None else Tally()
    try:
        with watching(progress, total if total is not None else _length(questions)) as watcher:
            stream = iter(questions)
            while window := list(islice(stream, WINDOW)):
                yield from _ask_window(model, window, opened, counted, watcher)
    finally:
        if opened is not None and opened is not cache:
            opened.close()


def _ask_window(
    model: Model, window: list[Question], cache: Cache | None, tally: Tally, watcher: Watcher
) -> list[Answer]:
    distinct = list(dict.fromkeys(window))
    keys = {question: Cache.key(model.fingerprint, question) for question in distinct} if cache else {}
    known = cache.get(list(keys.values())) if cache else {}
    answers = {question: known[key] for question, key in keys.items() if key in known}
    unknown = [question for question in distinct if question not in answers]
    tally.asked += len(window)
    tally.cached += len(window) - len(unknown)
    watcher.advance(len(window) - len(unknown))
    fresh: list[tuple[bytes, Answer]] = []
    flushed = time.monotonic()
    try:
        for index, answer in _converse(model, unknown):
            answers[unknown[index]] = answer
            watcher.advance(1)
            if cache is None:
                continue
            fresh.append((keys[unknown[index]], answer))
            if time.monotonic() - flushed > _FLUSH_SECONDS:
                cache.put(fresh)
                fresh, flushed = [], time.monotonic()
    finally:
        # Also when interrupted: what has been answered is not asked again.
        if cache is not None and fresh:
            cache.put(fresh)
    return [answers[question] for question in window]


@dataclass(slots=True)
class _Waiting:
    """A conversation that waits for what is read off its sequences."""

    conversation: Conversation
    readings: list[Reading | None]
    missing: int


def _converse(model: Model, questions: list[Question]) -> Iterator[tuple[int, Answer]]:
    """Lead all conversations at once, round by round, so that their sequences share batches."""
    talks: dict[int, _Waiting] = {}
    pending: list[tuple[int, Seq[Sequence]]] = []
    for index, question in enumerate(questions):
        conversation = model.answer(question)
        talks[index] = _Waiting(conversation, [], 0)
        pending.append((index, next(conversation)))
    while pending:
        places, sequences = _lay_out(talks, pending)
        pending = []
        for at, reading in model.network.run(sequences):
            index, slot = places[at]
            talk = talks[index]
            talk.readings[slot] = reading
            talk.missing -= 1
            if talk.missing == 0:
                answer = _resume(index, talk, pending)
                if answer is not None:
                    del talks[index]
                    yield index, answer


def _lay_out(
    talks: dict[int, _Waiting], pending: list[tuple[int, Seq[Sequence]]]
) -> tuple[list[tuple[int, int]], list[Sequence]]:
    places: list[tuple[int, int]] = []
    sequences: list[Sequence] = []
    for index, wanted in pending:
        talks[index].readings = [None] * len(wanted)
        talks[index].missing = len(wanted)
        places += [(index, slot) for slot in range(len(wanted))]
        sequences += wanted
    return places, sequences


def _resume(index: int, talk: _Waiting, pending: list[tuple[int, Seq[Sequence]]]) -> Answer | None:
    try:
        wanted = talk.conversation.send([reading for reading in talk.readings if reading is not None])
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    pending.append((index, wanted))
    return None


def _open(cache: Cache | Path | Literal["default"] | None) -> Cache | None:
    if cache is None or isinstance(cache, Cache):
        return cache
    return Cache(None if cache == "default" else Path(cache))


def _length(questions: Iterable[Question]) -> int | None:
    return len(questions) if isinstance(questions, Seq) else None
