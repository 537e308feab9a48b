"""Models that are kept warm: each is loaded once, in a thread of its own, and asked one request at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from tacit.errors import ModelError
from tacit.models.base import Model

__all__ = ["WarmModels"]

T = TypeVar("T")


class WarmModels:
    """The models that the page may ask, by name. Only these: a name in a request never becomes a path."""

    def __init__(self, names: Sequence[str], load: Callable[[str], Model]) -> None:
        """Name the models; none is loaded before it is asked."""
        self.names = list(dict.fromkeys(names))
        self._load = load
        self._lock = threading.Lock()
        self._loading_alone = threading.Lock()
        self._loading: dict[str, Future[Model]] = {}
        self._threads = {
            name: ThreadPoolExecutor(1, thread_name_prefix=f"model-{number}") for number, name in enumerate(self.names)
        }

    def require(self, names: Sequence[str]) -> list[str]:
        """The names that were chosen; an unknown one is refused."""
        for name in names:
            if name not in self._threads:
                raise ModelError(f"This page has no model {name!r}. Start it with `tacit serve --model {name}`.")
        return list(dict.fromkeys(names))

    def ready(self, name: str) -> bool:
        """Whether the model is loaded; the first call starts loading it. An error of loading is raised here."""
        future = self._future(name)
        if not future.done():
            return False
        if future.exception() is not None:
            # It is told once and tried again when it is asked for next: the folder may have been mended meanwhile.
            with self._lock:
                self._loading.pop(name, None)
        future.result()
        return True

    def ask(self, name: str, question: Callable[[Model], T]) -> Future[T]:
        """Ask a model in its own thread, after what it was asked before."""
        loaded = self._future(name)
        return self._threads[name].submit(lambda: question(loaded.result()))

    def facts(self, name: str) -> dict[str, Any] | None:
        """What is known about a loaded model."""
        future = self._loading.get(name)
        done = future is not None and future.done() and future.exception() is None
        return future.result().describe() if future is not None and done else None

    def close(self) -> None:
        """Let the threads end."""
        for thread in self._threads.values():
            thread.shutdown(wait=False, cancel_futures=True)

    def _future(self, name: str) -> Future[Model]:
        with self._lock:
            if name not in self._loading:
                self._loading[name] = self._threads[name].submit(self._load_alone, name)
            return self._loading[name]

    def _load_alone(self, name: str) -> Model:
        """Load one model at a time: two first imports of a model library in two threads can spoil both."""
        with self._loading_alone:
            return self._load(name)
