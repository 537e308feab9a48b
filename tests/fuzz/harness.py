"""Damaged input by the thousand: each case must be accepted or refused in one sentence, soon, touching nothing else."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypeVar

from hypothesis import HealthCheck, settings

from tacit.errors import TacitError

__all__ = ["CASES", "COUNTS", "FOUND", "assert_taken_or_refused", "fuzzed", "unchanged"]

T = TypeVar("T")

CASES = int(os.environ.get("TACIT_FUZZ", "0"))
"""How many cases `make fuzz` asks for in all; 0 is the quick share of `make test`."""

COUNTS = {"cases": 0, "refused": 0, "accepted": 0, "tracebacks": 0, "hangs": 0}
FOUND: dict[str, str] = {}
"""In `make fuzz`: each kind of traceback and hang, with the first case that showed it."""
LONGEST_SECONDS = 30
MOST_BYTES = 4_000_000_000
"""What a case may take of memory on top of what the process has."""


class HangError(BaseException):
    """A case took too long. Not an Exception, so that nothing between here and there can take it for one of its own."""


def fuzzed(quick: int, share: float) -> settings:
    """How often a fuzzer draws: `quick` times in `make test`, and its share of all cases in `make fuzz`."""
    examples = max(1, round(CASES * share)) if CASES else quick
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=not CASES,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


def assert_taken_or_refused(action: Callable[[], T], case: object = None) -> T | None:
    """Do something with damaged input; None where it was refused. Any other error is a traceback.

    `make test` fails at the first one, and Hypothesis looks for the smallest such case. `make fuzz` goes on, and fails
    at the end with all kinds that were found.

    Args:
        action: What to do.
        case: What to show of a case that ends in a traceback.
    """
    COUNTS["cases"] += 1
    try:
        with _in_time(), _bounded_memory():
            result = action()
    except TacitError as error:
        COUNTS["refused"] += 1
        _require_one_sentence(str(error))
        return None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        COUNTS["hangs" if isinstance(error, HangError) else "tracebacks"] += 1
        if not CASES:
            raise
        FOUND.setdefault(_kind(error), f"{case!r:.2000}\n{''.join(traceback.format_exception(error)[-12:])}")
        return None
    COUNTS["accepted"] += 1
    return result


def _kind(error: BaseException) -> str:
    """What tells two tracebacks apart: the error, and the lines of Tacit that it passed."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/src/tacit/" in frame.filename]
    return " < ".join([type(error).__name__, *(f"{Path(f.filename).name}:{f.lineno}" for f in frames[:-4:-1])])


def _require_one_sentence(text: str) -> None:
    assert text.strip(), "an empty sentence says nothing"
    assert "\n" not in text, f"more than one line: {text}"


@contextmanager
def unchanged(*folders: Path) -> Iterator[None]:
    """Nothing in these folders is written, removed or made meanwhile."""
    before = [_state(folder) for folder in folders]
    yield
    for folder, state in zip(folders, before, strict=True):
        assert _state(folder) == state, f"something in {folder} has changed"


def _state(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError(f"not done after {LONGEST_SECONDS} s")

    # Seconds of the processor, because the machine may be busy; ten times as many on the clock, for what only waits.
    alarms = ((signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, 10))
    before = [signal.signal(number, stop) for number, _, _ in alarms]
    for _, timer, times in alarms:
        signal.setitimer(timer, times * LONGEST_SECONDS)
    # Code below Python does not see the alarm; after a while the process ends and shows where it was.
    faulthandler.dump_traceback_later(20 * LONGEST_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        for (number, timer, _), handler in zip(alarms, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


@contextmanager
def _bounded_memory() -> Iterator[None]:
    # Data and stack, in pages; the address space as a whole is no measure, because V8 reserves it by the terabyte.
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + MOST_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
