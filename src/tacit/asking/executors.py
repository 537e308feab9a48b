"""Where questions are answered: in this process, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from tacit.asking.local import LocalExecutor
from tacit.errors import TacitError
from tacit.models.base import Answerer, Model
from tacit.questions import Answer, Question

__all__ = ["Executor", "get_executor"]


class Executor(Protocol):
    """Loads models and answers windows of questions somewhere.

    Attributes:
        ahead: How many windows of questions it works on at once.
        title: What `tacit status` calls it: "local", "ray, 8 workers".
    """

    ahead: int
    title: str

    def load(self, name: str, **options: Any) -> Model:
        """Load a model where it will be asked; the arguments are those of `tacit.load`."""

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Start on a window of questions. The iterator waits for each answer and yields it with its index."""


def get_executor(name: str, *, workers: int | None = None, gpus: float = 0.0) -> Executor:
    """The executor of a name.

    Args:
        name: "local"; "ray" for the Ray of this machine; or the address of a cluster, `ray://HOST:PORT` or `HOST:PORT`.
        workers: How many processes answer questions; by default one per processor, or per share of a GPU.
        gpus: The share of a GPU that each worker gets.
    """
    if name == "local":
        if workers is not None or gpus:
            raise TacitError("Workers and shares of GPUs are for a cluster. Add --executor ray, or leave them out.")
        return LocalExecutor()
    from tacit.asking.ray import RayExecutor  # noqa: PLC0415 - ray is an extra, and slow to import

    return RayExecutor(name, workers=workers, gpus=gpus)
