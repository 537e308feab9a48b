"""How long a long job will take, estimated before it starts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from tacit.asking import Tally, ask
from tacit.models import Model
from tacit.questions import Question

if TYPE_CHECKING:
    from tacit.runs.execute import CacheOption

__all__ = ["LONG", "duration_words", "estimate"]

LONG = 20_000
_SAMPLE = 64
_EVERY = 200


def estimate(model: Model, questions: Iterable[Question], total: int, cache: CacheOption) -> str | None:
    """Estimate the duration of a job from a sample of its questions, whose answers stay in the cache.

    The sample is spread over the beginning of the stream, so that it is not all about one text.

    Returns:
        `about 3 h 20 min for 480,000 questions`, or None where the cache already knows the whole sample.
    """
    sample = list(islice(questions, 0, _SAMPLE * _EVERY, _EVERY))
    tally, began = Tally(), time.monotonic()
    for _ in ask(model, sample, cache=cache, tally=tally):
        pass
    fresh = tally.asked - tally.cached
    if not fresh:
        return None
    seconds = (time.monotonic() - began) / fresh * total
    return f"about {duration_words(seconds)} for {total:,} questions"


def duration_words(seconds: float) -> str:
    """A duration in at most two units: `40 s`, `12 min`, `3 h 20 min`, `12 d 4 h`."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{round(seconds)} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    days, left = divmod(hours, 24)
    return f"{days} d {left} h" if left else f"{days} d"
