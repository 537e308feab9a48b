"""The workers of one model: who answers which window, and what happens when a worker dies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import RayActorError, RayTaskError

from tacit.asking.packing import unpack_answers
from tacit.asking.ray.worker import Facts
from tacit.errors import TacitError
from tacit.questions import Answer, Question

__all__ = ["RETRIES", "Pool"]

RETRIES = 4
"""How often a window is given to another worker after its worker has died."""


@dataclass
class Pool:
    """The workers of one model. Ray restarts one that dies; the others take over its windows meanwhile.

    Attributes:
        name: The model.
        workers: Their actors.
        busy: The windows that each worker has not finished yet.
        down: Workers that died, each with a call that returns once it runs again; that may never be if its machine is
            gone.
    """

    name: str
    workers: list[Any]
    busy: dict[int, list[Any]] = field(default_factory=dict)
    down: dict[int, Any] = field(default_factory=dict)

    def facts(self) -> list[Facts]:
        """What each worker says of its model."""
        calls = [worker.facts.options(max_task_retries=RETRIES).remote() for worker in self.workers]
        try:
            return [_get(call) for call in calls]
        except RayActorError as error:
            raise TacitError(f"A worker died while it loaded {self.name} ({_reason(error)}).") from None

    def start(self, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Give a window to a worker; the iterator waits for its answers."""
        return self._arriving(list(questions), *self._submit(list(questions)))

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [_get(worker.pid.options(max_task_retries=-1).remote()) for worker in self.workers]

    def close(self) -> None:
        """Give the workers' processors back to the cluster."""
        for worker in self.workers:
            ray.kill(worker)

    def _submit(self, questions: list[Question]) -> tuple[int, Any]:
        """Give a window to the worker that has the fewest; returns the worker and a reference to its answers."""
        if len(self.down) == len(self.workers):
            ray.wait(list(self.down.values()))
        self.down = {number: call for number, call in self.down.items() if not _is_done(call)}
        for number in range(len(self.workers)):
            self.busy[number] = [call for call in self.busy.get(number, []) if not _is_done(call)]
        alive = [number for number in self.busy if number not in self.down]
        number = min(alive, key=lambda number: len(self.busy[number]))
        call = self.workers[number].answer.remote(questions)
        self.busy[number].append(call)
        return number, call

    def _arriving(self, questions: list[Question], number: int, call: Any) -> Iterator[tuple[int, Answer]]:
        for death in range(RETRIES + 1):
            try:
                packed = _get(call)
                break
            except RayActorError as error:
                self.down.setdefault(number, self.workers[number].pid.options(max_task_retries=-1).remote())
                if death == RETRIES:
                    raise TacitError(
                        f"Workers of {self.name} died {RETRIES + 1} times over the same questions ({_reason(error)}). "
                        "Answers so far are kept, and the same command continues."
                    ) from None
                number, call = self._submit(questions)
        yield from enumerate(unpack_answers(packed))


def _is_done(call: Any) -> bool:
    return bool(ray.wait([call], timeout=0)[0])


def _get(call: Any) -> Any:
    """The result of a worker. Its errors are raised here as they were there."""
    try:
        return ray.get(call)
    except RayTaskError as error:
        if isinstance(error.cause, TacitError):
            raise error.cause from None
        raise


def _reason(error: RayActorError) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__
