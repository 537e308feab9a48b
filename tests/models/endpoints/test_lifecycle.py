"""A server that goes away in the middle loses nothing, and one that comes back as another is not taken for it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.models.endpoints.servers import LlamaServer
from tests.models.gguf_file import write_gguf
from tests.tiny import build


@pytest.fixture
def server(gguf: Path) -> Iterator[LlamaServer]:
    server = LlamaServer(gguf)
    yield server
    server.kill()


def command(server: LlamaServer, out: Path) -> list[str]:
    words = ["run", "before-after", "--model", f"llama+{server.url}", "--begin", "--out", str(out)]
    return [sys.executable, "-m", "tacit", *words, "--set", "shortlist=20", "--set", "resamples=100"]


def start(words: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def cached_answers() -> int:
    path = Path(os.environ["TACIT_CACHE"]) / "answers.sqlite"
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def wait_for(condition: Callable[[], bool], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def test_what_was_answered_before_the_server_went_away_is_kept(server: LlamaServer, tmp_path: Path) -> None:
    words = command(server, tmp_path / "run")
    first = start(words)
    wait_for(lambda: cached_answers() > 0)
    server.kill()
    _, said = first.communicate(timeout=120)
    assert first.returncode == 2
    assert len(said.strip().splitlines()) == 1
    assert "no longer answers" in said
    assert "What it has answered is kept" in said
    kept = cached_answers()

    server.start()
    second = start(words)
    out, said = second.communicate(timeout=240)
    assert second.returncode == 0, said
    assert "is unpinned" in out
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["status"] == "complete"
    assert record["cached"] >= kept > 0
    assert record["cached"] < record["asked"]


def test_another_model_at_the_same_address_is_noticed(server: LlamaServer, tmp_path: Path) -> None:
    words = command(server, tmp_path / "run")
    first = start(words)
    wait_for(lambda: cached_answers() > 0)
    first.kill()
    first.communicate()
    server.kill()
    server.path = write_gguf(build("llama", tmp_path / "other", seed=1), tmp_path / "other.gguf")
    server.start()
    second = start(words)
    _, said = second.communicate(timeout=120)
    assert second.returncode == 2
    assert "with other weights" in said
