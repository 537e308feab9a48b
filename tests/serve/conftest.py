"""A real server on loopback, with runs of two small models, and a real Chromium."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2 as httpx
import pytest
import uvicorn

import tacit
from tacit.models import Model
from tacit.serve import create_app


@dataclass(frozen=True)
class Server:
    """A server that runs, and its folders."""

    url: str
    runs: Path
    sheets: Path

    def client(self) -> httpx.Client:
        """A client that keeps cookies and follows redirects."""
        return httpx.Client(base_url=self.url, follow_redirects=True, timeout=30)


def start(folder: Path, load: Callable[[str], Model], **options: object) -> tuple[Server, Callable[[], None]]:
    """Start a server in a thread; the second value stops it."""
    app = create_app(folder / "runs", ["modern", "slow"], load, sheets=folder / "sheets.sqlite", **options)  # type: ignore[arg-type]
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)

    def stop() -> None:
        server.should_exit = True
        thread.join(10)

    return Server(f"http://127.0.0.1:{listening.getsockname()[1]}", folder / "runs", folder / "sheets.sqlite"), stop


busy = threading.Lock()
"""Whoever holds this lets every model wait with its answers."""


class Patient:
    """A model that waits while the lock `busy` is held."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getattr__(self, name: str) -> object:
        """Whatever the model has, once nobody is in its way."""
        with busy:
            return getattr(self._model, name)


def load_model(name: str) -> Model:
    """The standard `modern`; under the name `slow` it takes its time to load."""
    if name == "slow":
        time.sleep(20)
    return cast("Model", Patient(tacit.load("modern")))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with two runs of one probe. Its folders are those of the test module."""
    folder = tmp_path_factory.mktemp("serve")
    os.environ["TACIT_CACHE"], os.environ["TACIT_HOME"] = str(folder / "cache"), str(folder / "home")
    for model in ("early-modern", "modern"):
        tacit.run("temporal", model, folder / "runs" / "temporal" / model, {"resamples": 200})
    running, stop = start(folder, load_model)
    yield running
    stop()
    del os.environ["TACIT_HOME"]
