"""The tour: every probe on the standards and one bigger model, reduced so that it takes minutes."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tacit.errors import TacitError
from tacit.probes import load_probe, probe_names
from tacit.runs.batch import PlannedRun, plan_runs
from tacit.runs.plan import Prepared, count_questions, prepare
from tacit.standards import standard_names

__all__ = ["Clock", "OutOfTimeError", "plan_tour", "prepare_tour", "reductions"]

# Scoring whole sentences costs the most in a causal model: 18 s per sentence with a shortlist of 200 on one core.
_SHORTLIST = 20


class OutOfTimeError(TacitError):
    """A run took longer than its share of the tour's time. Nothing is wrong with the run."""


def prepare_tour() -> tuple[list[Prepared], list[tuple[str, TacitError]]]:
    """Prepare the probes of the tour, reduced by their own `tour` settings.

    Returns:
        The probes, the smallest first, and the errors of those that cannot be run, by name.
    """
    prepared, problems = [], []
    for name in probe_names():
        try:
            probe = load_probe(name)
            if probe.tour is not None:
                prepared.append(prepare(name, {"shortlist": _SHORTLIST, **probe.tour}, None))
        except TacitError as error:
            problems.append((name, error))
    # Small probes go first, so that a big one delays only itself.
    return sorted(prepared, key=_size), problems


def plan_tour(prepared: Sequence[Prepared], bigger: Sequence[str], out: Path) -> list[PlannedRun]:
    """Pair the probes with the standards and bigger models.

    A probe that a standard was tuned for is not asked of `early-modern`, which has read no reviews: it would only be
    refused, and `modern` is there to show that.
    """
    standards = plan_runs(prepared, [], out)
    asked = [run for run in standards if not (run.prepared.method.tuned_standards and run.model == standard_names()[0])]
    return [*asked, *(plan_runs(prepared, bigger, out) if bigger else [])]


def _size(prepared: Prepared) -> float:
    count = count_questions(prepared, "masked")
    return math.inf if count is None else count


def reductions(prepared: Sequence[Prepared]) -> list[str]:
    """One sentence for each probe that the tour reduces."""
    settings = {
        plan.probe.name: ", ".join(f"{name}={value}" for name, value in plan.changed.items()) for plan in prepared
    }
    return [f"{name} is reduced for the tour: {changed}" for name, changed in settings.items() if changed]


class Clock:
    """Divides the time of the tour among its runs, so that it ends on time."""

    def __init__(self, seconds: float) -> None:
        """Start the clock with the time for all runs."""
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds until the end."""
        return max(0.0, self._end - time.monotonic())

    @contextmanager
    def share(self, left: int) -> Iterator[None]:
        """Stop a run when it takes more than twice its share of the time left, with `left` runs still to go."""
        seconds = max(1.0, min(2.0 / left, 1.0) * (self._end - time.monotonic()))
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield  # only the main thread of a Unix process gets alarms; elsewhere the tour may take longer
            return
        before = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError("its share of the tour's time is used up. The same command continues it from the cache.")
