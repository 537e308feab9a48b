"""An event loop in a thread of its own, so that models can be asked from plain code, also inside a notebook's loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

__all__ = ["as_completed", "iterate", "run"]

T = TypeVar("T")
U = TypeVar("U")
_END = object()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end; whatever interrupts the waiting cancels it. Not for coroutines themselves."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop(os.getpid()))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def iterate(stream: AsyncGenerator[T, None]) -> Iterator[T]:
    """The items of an asynchronous generator, one by one; it is closed if the caller stops early."""

    async def following() -> Any:
        return await anext(stream, _END)

    async def closing() -> None:
        # If the waiting was interrupted, what was under way is still being cancelled.
        while getattr(stream, "ag_running", False):
            await asyncio.sleep(0.01)
        await stream.aclose()

    try:
        while (item := run(following())) is not _END:
            yield item
    finally:
        run(closing())


async def as_completed(
    work: Callable[[T], Awaitable[U]], items: Iterable[T], concurrency: int
) -> AsyncGenerator[tuple[int, U], None]:
    """Do the same work for each item, with a limited number under way at once.

    Further items are taken only when the caller asks for results, so that a slow caller slows down the work. If one
    item fails, the results that are already there come first, and then its error.

    Args:
        work: What to do with an item.
        items: The items.
        concurrency: How many may be under way at once.

    Yields:
        The index of an item and its result, as soon as it is there.
    """
    waiting = enumerate(items)
    pending: dict[asyncio.Future[U], int] = {}
    try:
        while True:
            while len(pending) < concurrency and (following := next(waiting, None)) is not None:
                index, item = following
                pending[asyncio.ensure_future(work(item))] = index
            if not pending:
                return
            done, _ = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=lambda task: task.exception() is not None):
                yield pending.pop(task), task.result()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


@cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    """The loop of this process: a forked process has no threads, so it needs its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tacit-endpoints", daemon=True).start()
    return loop
