"""A name that is not here: a hub that is away and a hub that does not have it are distinguished, and quickly."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tacit.errors import ModelError
from tacit.models.hf.finding import find_files


class _Empty(BaseHTTPRequestHandler):
    """A hub with no models."""

    def do_HEAD(self) -> None:
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test quiet."""


@pytest.fixture
def empty_hub() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Empty)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_hub_without_the_model_is_reported(empty_hub: str, tmp_path: Path) -> None:
    assert "the Hugging Face hub does not have it." in _refusal(empty_hub, tmp_path)


def test_a_hub_that_is_away_is_reported(tmp_path: Path) -> None:
    # Port 9 discards what it gets, where anybody listens at all.
    assert "the Hugging Face hub cannot be reached." in _refusal("http://127.0.0.1:9", tmp_path)


def test_a_misspelled_standard_is_corrected(tmp_path: Path) -> None:
    assert _refusal("http://127.0.0.1:9", tmp_path, "moderm").endswith(" cannot be reached. Did you mean 'modern'?\n")


def test_a_model_that_can_be_fetched_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "empty"))
    with pytest.raises(ModelError, match="Run tacit models fetch smollm2-135m"):
        find_files("smollm2-135m")


def _refusal(hub: str, home: Path, name: str = "some/model") -> str:
    # The hub's address is read once, when its library is imported.
    outside = {
        "HF_ENDPOINT": hub,
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "0",
        "TRANSFORMERS_OFFLINE": "0",
        "no_proxy": "127.0.0.1",
    }
    command = [sys.executable, "-m", "tacit", "fill", "a [MASK]", "--model", name]
    env = {**os.environ, **outside}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"tacit: There is no model {name!r}")
    return done.stderr
