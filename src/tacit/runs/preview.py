"""What a run would take: how many questions, how many of them are answered already, and how long the rest takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from tacit.asking import Cache, ask
from tacit.models import Model
from tacit.questions import Question
from tacit.runs.batch import PlannedRun
from tacit.runs.execute import all_questions, given_models, require_free
from tacit.runs.plan import count_questions
from tacit.runs.store import is_intact

__all__ = ["Preview", "preview"]

_LOOKED_UP_AT_ONCE = 5_000
_MOST_LOOKED_UP = 500_000
_WARM_UP, _TIMED, _AT_ONCE = 4, 256, 4
_LONGEST = 15.0


@dataclass(frozen=True, slots=True)
class Preview:
    """What a planned run would take.

    Attributes:
        planned: The run.
        complete: Whether its folder already holds a complete run.
        questions: How many questions there are; None where that depends on the answers.
        cached: How many of them the cache can answer.
        seconds: How long the others take on this machine; None if there are none, or nobody can know.
    """

    planned: PlannedRun
    complete: bool
    questions: int | None = None
    cached: int = 0
    seconds: float | None = None


def preview(planned: PlannedRun, load: Callable[[str], Model], cache: Cache) -> Preview:
    """Count the questions of a run and time some that are new; these stay in the cache, nothing else is written.

    A method that stops when it is sure may ask fewer.
    """
    require_free(planned.folder, planned.prepared)
    if is_intact(planned.folder):
        return Preview(planned, complete=True)
    if given_models(planned.prepared):
        return Preview(planned, complete=False, questions=0)
    model = load(planned.model)
    total = count_questions(planned.prepared, model.family)
    cached, fresh, looked_up = 0, list[Question](), 0
    stream = islice(_questions(planned, model), _MOST_LOOKED_UP)
    while questions := list(islice(stream, _LOOKED_UP_AT_ONCE)):
        keys = [Cache.key(model.fingerprint, question) for question in questions]
        known = cache.get(keys)
        unknown = [question for key, question in zip(keys, questions, strict=True) if key not in known]
        looked_up += len(questions)
        cached += len(questions) - len(unknown)
        # Spread over the stream, so that they are not all about one text.
        fresh += unknown[:: max(1, len(unknown) // _TIMED)]
    asked = max(total or 0, looked_up)
    left = asked - cached
    seconds = _seconds_each(model, fresh, cache) * left if fresh and left > 0 else None
    return Preview(planned, complete=False, questions=asked, cached=cached, seconds=seconds)


def _questions(planned: PlannedRun, model: Model) -> Iterator[Question]:
    return (keyed.question for keyed in all_questions(planned.prepared, model.family))


def _seconds_each(model: Model, fresh: list[Question], cache: Cache) -> float:
    """The time per question, of up to 256 spread over the run; fewer where that would take longer than 15 seconds."""
    sample = fresh[:: max(1, len(fresh) // (_WARM_UP + _TIMED))]
    # The first batch of a process is slower, so it does not count unless it is all there is.
    warm_up, timed = (sample[:_WARM_UP], sample[_WARM_UP:]) if len(sample) > _WARM_UP else ([], sample)
    _answer(model, warm_up, cache)
    began, answered = time.monotonic(), 0
    while answered < min(len(timed), _TIMED) and time.monotonic() - began < _LONGEST:
        answered += _answer(model, timed[answered : answered + _AT_ONCE], cache)
    return (time.monotonic() - began) / answered


def _answer(model: Model, questions: list[Question], cache: Cache) -> int:
    return sum(1 for _ in ask(model, questions, cache=cache))
