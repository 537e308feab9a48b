"""The tour: every probe on the standards and one bigger model, small enough to be over in minutes."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from tacit.errors import TacitError
from tacit.probes import load_probe, probe_names
from tacit.runs.plan import Prepared, count_questions, prepare

__all__ = ["Clock", "OutOfTimeError", "prepare_tour", "reductions"]

# Weighing whole sentences is what costs most in a causal model: 18 s a sentence with a shortlist of 200 on one core.
_SHORTLIST = 20


class OutOfTimeError(TacitError):
    """A run took longer than the tour can wait: no fault of the run."""


def prepare_tour() -> tuple[list[Prepared], list[tuple[str, TacitError]]]:
    """The shipped probes that the tour visits, shrunk as they ask, and what is wrong with those that cannot be run."""
    prepared, problems = [], []
    for name in probe_names():
        try:
            probe = load_probe(name)
            if probe.tour is not None:
                prepared.append(prepare(name, {"shortlist": _SHORTLIST, **probe.tour}, None))
        except TacitError as error:
            problems.append((name, error))
    return sorted(prepared, key=_size), problems


def _size(prepared: Prepared) -> float:
    """Small probes go first, so that a big one can only cost the tour itself."""
    count = count_questions(prepared, "masked")
    return math.inf if count is None else count


def reductions(prepared: Sequence[Prepared]) -> list[str]:
    """What the tour made smaller, said plainly."""
    said = []
    for one in prepared:
        changed = ", ".join(f"{name}={value}" for name, value in one.changed.items())
        said += [f"{one.probe.name} is reduced for the tour: {changed}"] if changed else []
    return said


class Clock:
    """Shares the time of the tour out, so that it ends when it said it would."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @contextmanager
    def share(self, left: int) -> Iterator[None]:
        """Stop what runs within when it takes more than twice its share of the time that is left to `left` runs."""
        seconds = max(1.0, min(2.0 / left, 1.0) * (self._end - time.monotonic()))
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield  # only the main thread of a Unix process can be woken; elsewhere the tour takes the time it takes
            return
        before = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError("its share of the tour's time was over; the same command continues it from the cache.")
