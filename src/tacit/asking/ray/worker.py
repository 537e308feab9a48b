"""What runs on the machines of a cluster: an actor that loads one model and answers windows of questions."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from tacit.asking.packing import pack_answers
from tacit.errors import ModelError
from tacit.models.base import Family, Model
from tacit.questions import LikelihoodMethod, Question

__all__ = ["LARGEST_SHIPMENT", "Facts", "Source", "Worker", "find_source"]

LARGEST_SHIPMENT = 2 * 2**30
"""The largest folder of a model, in bytes, that is sent to workers which cannot see it on their own disk."""


@dataclass(frozen=True)
class Facts:
    """What the driver needs to know about a model that lives on workers."""

    family: Family
    fingerprint: str
    likelihoods: tuple[LikelihoodMethod, ...]
    description: dict[str, Any]


@dataclass(frozen=True)
class Source:
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


def find_source(name: str, options: dict[str, Any]) -> Source:
    """Where workers find a model; a folder is put into Ray's object store if workers may not see it."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return Source(name, options)
    folder = folder.resolve()
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    # A driver that came in through the client port (ray://) may be on no machine of the cluster.
    is_inside = not ray.util.client.ray.is_connected()
    one_machine = is_inside and len([node for node in ray.nodes() if node["Alive"]]) == 1
    if one_machine or size > LARGEST_SHIPMENT:
        return Source(str(folder), options, size)
    contents = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return Source(str(folder), options, size, ray.put(contents))


class Worker:
    """Loads the model on first use, so that its errors reach the driver and a restarted worker loads it too."""

    def __init__(self, source: Source, threads: int) -> None:
        import torch  # noqa: PLC0415 - only workers need it

        torch.set_num_threads(threads)
        self._source = source
        self._model: Model | None = None

    def facts(self) -> Facts:
        """What the driver needs to know."""
        model = self._loaded()
        return Facts(model.family, model.fingerprint, model.likelihoods, model.describe())

    def answer(self, questions: list[Question]) -> bytes:
        """The packed answers to a window of questions, in order."""
        return pack_answers(list(self._loaded().answer(questions)))

    def pid(self) -> int:
        """The process of this worker."""
        return os.getpid()

    def _loaded(self) -> Model:
        if self._model is None:
            self._model = self._load()
        return self._model

    def _load(self) -> Model:
        """Load the model by its name, or, if it is a folder that this machine cannot see, from the files sent."""
        from tacit.models import load  # noqa: PLC0415 - torch takes seconds

        source = self._source
        if source.size is None or Path(source.name).exists():
            return load(source.name, **source.options)
        if source.files is None:
            raise ModelError(
                f"The folder {source.name} is not on the worker {os.uname().nodename}, and with "
                f"{source.size / 2**30:.1f} GB it is too large to be sent there. Put it where all workers see it."
            )
        with tempfile.TemporaryDirectory(prefix="tacit-model-") as folder:
            for relative, content in ray.get(source.files).items():
                path = Path(folder) / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            return load(folder, **source.options)
