"""The executor that answers questions on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import ray

from tacit.asking.ray.connecting import connect
from tacit.asking.ray.pool import Pool
from tacit.asking.ray.worker import Facts, Worker, find_source
from tacit.errors import ModelError, TacitError
from tacit.models.base import Answerer, Model
from tacit.models.threads import thread_count
from tacit.questions import Answer, Question

__all__ = ["RayExecutor", "RayModel"]

WINDOWS_PER_WORKER = 2
"""While a worker answers one window, its next one is already on its way."""


class RayModel(Model):
    """A model that lives on the workers of an executor."""

    def __init__(self, name: str, facts: Facts, executor: RayExecutor) -> None:
        self.name = name
        self.family = facts.family
        self.fingerprint = facts.fingerprint
        self.likelihoods = facts.likelihoods
        self._description = facts.description
        self._executor = executor

    def describe(self) -> dict[str, Any]:
        """What the workers say of their model, under the name that the user gave."""
        return {**self._description, "name": self.name}

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Answer each question on one of the workers, in the order given."""
        return (answer for _, answer in self._executor.start(self, questions))


class RayExecutor:
    """Answers windows of questions on the workers of a Ray cluster; all workers serve one model at a time."""

    def __init__(self, address: str = "ray", *, workers: int | None = None, gpus: float = 0.0) -> None:
        """Connect to a cluster.

        Args:
            address: See `connect`.
            workers: How many actors to start; by default as many as the cluster has room for.
            gpus: The share of a GPU that each actor gets; without one, each gets a processor, or as many
                as `tacit.models.set_threads` says.
        """
        connect(address)
        self._gpus = gpus
        self._threads = thread_count() or 1
        room = ray.cluster_resources()
        most = int(room.get("GPU", 0) / gpus) if gpus else int(room.get("CPU", 0)) // self._threads
        self._workers = workers if workers is not None else most
        if not 1 <= self._workers <= most:
            of_what = f"{room.get('GPU', 0):g} GPUs" if gpus else f"{room.get('CPU', 0):g} processors"
            each = f", {self._threads} for each" if self._threads > 1 and not gpus else ""
            raise TacitError(
                f"The cluster has room for {most} workers ({of_what}{each}), not for {self._workers}. Set workers."
            )
        self.ahead = WINDOWS_PER_WORKER * self._workers
        self.title = f"ray, {self._workers} workers"
        self._pool: Pool | None = None
        self._model: RayModel | None = None
        self._options: dict[str, Any] = {}

    def load(self, name: str, **options: Any) -> Model:
        """Load a model on all workers; the workers of another model make room for it."""
        if self._model is not None and (self._model.name, self._options) == (str(name), options):
            return self._model
        if "://" in str(name):
            raise ModelError(
                f"The model {name} is behind an endpoint, which spreads the work itself. Use --executor local."
            )
        self.release()
        source = find_source(str(name), options)
        resources = {"num_gpus": self._gpus} if self._gpus else {"num_cpus": self._threads}
        actor = ray.remote(max_restarts=-1, **resources)(Worker)
        pool = Pool(str(name), [actor.remote(source, self._threads) for _ in range(self._workers)])
        try:
            facts = pool.facts()
            if len({fact.fingerprint for fact in facts}) > 1:
                raise ModelError(f"The workers have different weights or versions of {name}. Give all the same.")
        except TacitError:
            pool.close()
            raise
        self._pool, self._model, self._options = pool, RayModel(str(name), facts[0], self), options
        return self._model

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Send a window to a worker; the iterator waits for its answers."""
        if self._pool is None or self._model is None or model.fingerprint != self._model.fingerprint:
            raise TacitError(f"The model {model.name} was not loaded by this executor. Load it with executor.load.")
        return self._pool.start(questions)

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return self._pool.pids() if self._pool else []

    def release(self) -> None:
        """Let the workers go, so that the cluster can do something else."""
        if self._pool is not None:
            self._pool.close()
        self._pool = self._model = None
