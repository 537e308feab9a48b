"""Damaged input by the thousand: each case must be accepted or refused in one sentence, soon, touching nothing else."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypeVar

from hypothesis import HealthCheck, settings

from tacit.errors import TacitError

__all__ = ["CASES", "COUNTS", "attempt", "fuzzed", "unchanged"]

T = TypeVar("T")

CASES = int(os.environ.get("TACIT_FUZZ", "0"))
"""How many cases `make fuzz` asks for in all; 0 is the quick share of `make test`."""

COUNTS = {"cases": 0, "refused": 0, "accepted": 0, "tracebacks": 0, "hangs": 0}
LONGEST_SECONDS = 30


def fuzzed(quick: int, share: float) -> settings:
    """How often a fuzzer draws: `quick` times in `make test`, and its share of all cases in `make fuzz`."""
    examples = max(1, round(CASES * share)) if CASES else quick
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=not CASES,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


def attempt(action: Callable[[], T]) -> T | None:
    """Do something with damaged input; None where it was refused. Any other error is a traceback, and fails."""
    COUNTS["cases"] += 1
    try:
        with _in_time():
            result = action()
    except TacitError as error:
        COUNTS["refused"] += 1
        _require_one_sentence(str(error))
        return None
    except TimeoutError:
        COUNTS["hangs"] += 1
        raise
    except BaseException:
        COUNTS["tracebacks"] += 1
        raise
    COUNTS["accepted"] += 1
    return result


def _require_one_sentence(text: str) -> None:
    assert text.strip(), "an empty sentence says nothing"
    assert "\n" not in text, f"more than one line: {text}"


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """Nothing in this folder is written, removed or made meanwhile."""
    before = _state(folder)
    yield
    assert _state(folder) == before, f"something in {folder} has changed"


def _state(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"not done after {LONGEST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
