"""How much of the time is the engine's own: everything but the model's forward pass and vocabulary projection."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

from benchmarks.racing import Times, seconds_of
from tacit.models import Model

__all__ = ["overhead_share"]


def overhead_share(model: Model, task: Callable[[], Any], rounds: int) -> Times:
    """The share of a task's time that is not spent in the model's layers or its head: the median over rounds."""
    network: Any = model.network
    clock = _Clock()
    undo = [clock.watch(network.model, "forward"), clock.watch(network.head, "logprobs_of")]
    shares = [_share(clock, task) for _ in range(rounds)]
    for restore in undo:
        restore()
    return Times(median(each.wall for each in shares), median(each.cpu for each in shares))


def _share(clock: _Clock, task: Callable[[], Any]) -> Times:
    clock.wall = clock.cpu = 0.0
    taken, _ = seconds_of(task)
    return Times(1 - clock.wall / taken.wall, 1 - clock.cpu / taken.cpu)


class _Clock:
    """Adds up the time spent in some methods."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def watch(self, thing: Any, name: str) -> Callable[[], None]:
        """Put a timed method in the place of a method; what is returned takes it away again."""
        method = getattr(thing, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            wall, cpu = perf_counter(), process_time()
            returned = method(*args, **kwargs)
            self.wall += perf_counter() - wall
            self.cpu += process_time() - cpu
            return returned

        setattr(thing, name, timed)
        return lambda: delattr(thing, name)
