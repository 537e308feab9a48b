"""`tacit status` shows the jobs that are running, and only those."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tacit
from tacit.cli.main import app
from tacit.models import Answerer, Model
from tacit.questions import Answer, Question
from tacit.runs.jobs import Job, running_jobs, watched_job
from tests.runs.making import make_probe


class CuriousExecutor:
    """Answers in this process, and looks at the status in between."""

    ahead = 1
    title = "curious"

    def __init__(self) -> None:
        self.seen: list[Job] = []

    def load(self, name: str, **options: Any) -> Model:
        """Load it here."""
        return tacit.load(name, **options)

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Answer after a look."""
        self.seen += running_jobs()
        return enumerate(model.answer(questions))


def test_a_run_is_shown_while_it_is_asked_and_gone_afterwards(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    executor = CuriousExecutor()
    tacit.run(make_probe(tmp_path / "probe"), tiny("bert"), tmp_path / "run", executor=executor)
    (job,) = executor.seen
    assert (job.probe, job.where, job.folder, job.pid) == ("old-or-new", "curious", str(tmp_path / "run"), os.getpid())
    assert running_jobs() == []


def test_a_job_that_was_killed_is_forgotten() -> None:
    code = "import os, signal\nfrom tacit.runs.jobs import *\n"
    code += "with watched_job(Job('p', 'm', 'f', 'local', 9)): os.kill(os.getpid(), signal.SIGKILL)"
    subprocess.run([sys.executable, "-c", code], check=False)
    folder = Path(os.environ["TACIT_CACHE"]) / "jobs"
    assert len(list(folder.glob("*.json"))) == 1
    assert running_jobs() == []
    assert list(folder.glob("*.json")) == []


def test_status_tells_how_far_a_job_is_and_how_long_it_takes() -> None:
    with watched_job(Job("temporal", "modern", "runs/x", "ray, 8 workers", 400)) as watched:
        watched.advance(100)
        watched.job.started -= 50
        watched.write()
        shown = CliRunner().invoke(app, ["status"]).output
        job = running_jobs()[0]
    assert job.rate == pytest.approx(2, rel=0.05)
    assert job.seconds_left == pytest.approx(150, rel=0.05)
    assert all(part in shown for part in ("temporal", "100 of 400", "2/s", "ray, 8 workers"))
    assert "No job is running" in CliRunner().invoke(app, ["status"]).output


def test_a_damaged_file_among_the_jobs_is_passed_over() -> None:
    folder = Path(os.environ["TACIT_CACHE"]) / "jobs"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text("{")
    (folder / "y.json").write_text(json.dumps({"host": socket.gethostname(), "surprise": 1}))
    assert running_jobs() == []


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"probe": 1}', b"\xff", b'{"probe":"a","model":"b","folder":"","where":"","total":"x"}']
)
def test_a_damaged_file_of_a_job_is_passed_over(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "x.json").write_bytes(content)
    assert running_jobs() == []


def test_a_job_runs_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "file" / "cache"))
    with watched_job(Job("probe", "model", "folder", "local", None)):
        assert running_jobs() == []
