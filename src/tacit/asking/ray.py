"""The executor that answers questions on a Ray cluster: actors load the model once and answer whole windows."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.asking.packing import pack_answers, unpack_answers
from tacit.errors import ModelError, TacitError
from tacit.models.base import Answerer, Family, Model
from tacit.questions import Answer, LikelihoodMethod, Question

try:
    import ray
    from ray.exceptions import RayActorError, RayError, RayTaskError
except ImportError:
    raise TacitError("The executor ray needs the package ray. Install it with: pip install 'tacit[ray]'.") from None

__all__ = ["LARGEST_SHIPMENT", "RayExecutor", "RayModel", "connect"]

LARGEST_SHIPMENT = 2 * 2**30
"""The largest folder of a model, in bytes, that is sent to workers which cannot see it on their own disk."""
WINDOWS_PER_WORKER = 2
"""While a worker answers one window, its next one is already on its way."""
SECONDS_TO_CONNECT = 10
RETRIES = 4
"""How often a window is given to a new worker after its worker has died."""


@dataclass(frozen=True)
class _Facts:
    """What the driver needs to know about a model that lives on workers."""

    family: Family
    fingerprint: str
    likelihoods: tuple[LikelihoodMethod, ...]
    description: dict[str, Any]


@dataclass(frozen=True)
class _Source:
    """Where a worker finds the model.

    Attributes:
        name: What the user calls it.
        options: Those of `tacit.load`.
        size: The size of its folder on the driver; None if the name is not a folder there.
        files: The files of the folder, by their relative path, for workers that cannot see it.
    """

    name: str
    options: dict[str, Any]
    size: int | None = None
    files: Any = None


class _Worker:
    """Loads the model on first use, so that its errors reach the driver and a restarted worker loads it too."""

    def __init__(self, source: _Source, threads: int) -> None:
        import torch  # noqa: PLC0415 - only workers need it

        torch.set_num_threads(threads)
        self._source = source
        self._model: Model | None = None

    def facts(self) -> _Facts:
        """What the driver needs to know."""
        model = self._loaded()
        return _Facts(model.family, model.fingerprint, model.likelihoods, model.describe())

    def answer(self, questions: list[Question]) -> bytes:
        """The packed answers to a window of questions, in order."""
        return pack_answers(list(self._loaded().answer(questions)))

    def pid(self) -> int:
        """The process of this worker."""
        return os.getpid()

    def _loaded(self) -> Model:
        if self._model is None:
            from tacit.models import load  # noqa: PLC0415 - torch takes seconds

            self._model = load(self._found(), **self._source.options)
        return self._model

    def _found(self) -> str:
        """The name of the model on this machine; its folder is unpacked here if this machine cannot see it."""
        source = self._source
        if source.size is None or Path(source.name).exists():
            return source.name
        if source.files is None:
            raise ModelError(
                f"The folder {source.name} is not on the worker {os.uname().nodename}, and with "
                f"{source.size / 2**30:.1f} GB it is too large to be sent there. Put it where all workers see it."
            )
        folder = Path(tempfile.mkdtemp(prefix="tacit-model-"))
        for relative, content in ray.get(source.files).items():
            (folder / relative).parent.mkdir(parents=True, exist_ok=True)
            (folder / relative).write_bytes(content)
        return str(folder)


class RayModel(Model):
    """A model that lives on the workers of an executor."""

    def __init__(self, name: str, facts: _Facts, executor: RayExecutor) -> None:
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


@dataclass
class _Pool:
    """The workers of one model, and the windows that each has not finished yet."""

    workers: list[Any]
    busy: dict[int, list[Any]] = field(default_factory=dict)

    def submit(self, questions: Sequence[Question]) -> Any:
        """Give a window to the worker that has the fewest; the result is a reference to its packed answers."""
        for number in range(len(self.workers)):
            waiting = self.busy.get(number, [])
            self.busy[number] = ray.wait(waiting, num_returns=len(waiting), timeout=0)[1] if waiting else []
        number = min(self.busy, key=lambda number: len(self.busy[number]))
        reference = self.workers[number].answer.remote(list(questions))
        self.busy[number].append(reference)
        return reference

    def close(self) -> None:
        """Give the workers' processors back to the cluster."""
        for worker in self.workers:
            ray.kill(worker)


def connect(address: str) -> None:
    """Connect this process to a cluster, if it is not connected yet.

    Args:
        address: `ray://HOST:PORT` or `HOST:PORT`; "ray" joins the Ray that runs on this machine, or starts one.
    """
    if address != "ray" and ":" not in address:
        raise TacitError(f"There is no executor {address!r}. Use local, ray, or the address of a cluster: HOST:PORT.")
    if ray.is_initialized():
        return
    if address != "ray":
        _require_listening(address)
    place = {"include_dashboard": False} if address == "ray" else {"address": address}
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", **place)
    except (RayError, ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TacitError(f"The Ray cluster {address} cannot be used: {reason}") from None


class RayExecutor:
    """Answers windows of questions on the workers of a Ray cluster; all workers serve one model at a time."""

    def __init__(self, address: str = "ray", *, workers: int | None = None, gpus: float = 0.0) -> None:
        """Connect to a cluster.

        Args:
            address: See `connect`.
            workers: How many actors to start; by default as many as the cluster has room for.
            gpus: The share of a GPU that each actor gets; without one, each gets a processor.
        """
        connect(address)
        self._gpus = gpus
        room = ray.cluster_resources()
        most = int(room.get("GPU", 0) / gpus) if gpus else int(room.get("CPU", 0))
        self._workers = workers if workers is not None else most
        if not 1 <= self._workers <= most:
            of_what = f"{room.get('GPU', 0):g} GPUs" if gpus else f"{most} processors"
            raise TacitError(
                f"The cluster has room for {most} workers ({of_what}), not for {self._workers}. Set workers."
            )
        self.ahead = WINDOWS_PER_WORKER * self._workers
        self.title = f"ray, {self._workers} workers"
        self._pools: dict[str, _Pool] = {}
        self._loaded: RayModel | None = None
        self._options: dict[str, Any] = {}

    def load(self, name: str, **options: Any) -> Model:
        """Load a model on all workers; the workers of another model make room for it."""
        if self._loaded is not None and (self._loaded.name, self._options) == (str(name), options):
            return self._loaded
        if "://" in str(name):
            raise ModelError(
                f"The model {name} is behind an endpoint, which spreads the work itself. Use --executor local."
            )
        self.release()
        source = self._source(str(name), options)
        resources = {"num_gpus": self._gpus} if self._gpus else {"num_cpus": 1}
        actor = ray.remote(max_restarts=-1, max_task_retries=RETRIES, **resources)(_Worker)
        pool = _Pool([actor.remote(source, 1) for _ in range(self._workers)])
        try:
            facts = [_get(reference, str(name)) for reference in [worker.facts.remote() for worker in pool.workers]]
            if len({fact.fingerprint for fact in facts}) > 1:
                raise ModelError(f"The workers have different weights or versions of {name}. Give all the same.")
        except TacitError:
            pool.close()
            raise
        self._pools[facts[0].fingerprint] = pool
        self._loaded, self._options = RayModel(str(name), facts[0], self), options
        return self._loaded

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Send a window to a worker; the iterator waits for its answers."""
        if model.fingerprint not in self._pools:
            raise TacitError(f"The model {model.name} was not loaded by this executor. Load it with executor.load.")
        reference = self._pools[model.fingerprint].submit(questions)
        return self._arriving(reference, model.name)

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [_get(worker.pid.remote(), "") for pool in self._pools.values() for worker in pool.workers]

    def release(self) -> None:
        """Let the workers go, so that the cluster can do something else."""
        self._loaded = None
        while self._pools:
            self._pools.popitem()[1].close()

    @staticmethod
    def _arriving(reference: Any, name: str) -> Iterator[tuple[int, Answer]]:
        yield from enumerate(unpack_answers(_get(reference, name)))

    @staticmethod
    def _source(name: str, options: dict[str, Any]) -> _Source:
        folder = Path(name).expanduser()
        if not folder.is_dir():
            return _Source(name, options)
        folder = folder.resolve()
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        one_machine = len([node for node in ray.nodes() if node["Alive"]]) == 1
        if one_machine or size > LARGEST_SHIPMENT:
            return _Source(str(folder), options, size)
        contents = {str(path.relative_to(folder)): path.read_bytes() for path in files}
        return _Source(str(folder), options, size, ray.put(contents))


def _require_listening(address: str) -> None:
    """Refuse an address where nothing listens: Ray itself would wait for minutes and write its log to the terminal."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=SECONDS_TO_CONNECT):
            return
    except (OSError, ValueError, OverflowError) as error:
        raise TacitError(
            f"The Ray cluster {address} cannot be reached: {error}. Start it with `ray start --head --port PORT`."
        ) from None


def _get(reference: Any, name: str) -> Any:
    """The result of a worker. Its errors are raised here as they were there."""
    try:
        return ray.get(reference)
    except RayTaskError as error:
        if isinstance(error.cause, TacitError):
            raise error.cause from None
        raise
    except RayActorError as error:
        raise TacitError(
            f"A worker of {name} died {RETRIES + 1} times over the same questions ({_reason(error)}). Answers so far "
            "are kept, and the same command continues."
        ) from None


def _reason(error: RayActorError) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__
