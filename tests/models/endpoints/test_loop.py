"""The event loop behind plain code: what interrupts the waiting is what the caller sees."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator
from types import FrameType

import pytest

from tacit.models.endpoints.loop import as_completed, iterate


class StoppedError(BaseException):
    """What a signal raises in the middle of the waiting, as Ctrl-C does."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise StoppedError


def test_an_interruption_while_requests_are_under_way_is_raised_as_it_is() -> None:
    ended: list[int] = []

    async def answer(number: int) -> int:
        try:
            await asyncio.sleep(0 if number == 0 else 60)
        finally:
            await asyncio.sleep(0.2)  # a connection takes its time to close
            ended.append(number)
        return number

    def stream() -> AsyncGenerator[tuple[int, int], None]:
        return as_completed(answer, range(4), 4)

    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with pytest.raises(StoppedError):
            list(iterate(stream()))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert sorted(ended) == [0, 1, 2, 3]
