"""Runs that were started from the page: each is a `tacit run` of its own, which can be stopped and continued."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tacit.runs.jobs import Job, running_jobs
from tacit.serve.pages import InputError

__all__ = ["Started", "StartedRuns"]

MOST_AT_ONCE = 2


@dataclass
class Started:
    """A run that the page started.

    Attributes:
        number: Its number on the page.
        probe: The name of the probe.
        model: The name of the model.
        command: What was started; the same command continues it.
        folder: Where its results go.
    """

    number: int
    probe: str
    model: str
    command: list[str]
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    stopped: bool = False

    @property
    def status(self) -> str:
        """running, stopped, complete or failed."""
        code = None if self.process is None else self.process.poll()
        if code is None:
            return "running"
        if self.stopped and code != 0:
            return "stopped"
        return "complete" if code == 0 else "failed"

    @property
    def output(self) -> str:
        """The last lines that the command printed."""
        self.log.seek(0)
        return self.log.read()[-4000:].decode(errors="replace").strip()

    @property
    def progress(self) -> Job | None:
        """How far it is, once it has begun to ask."""
        pid = self.process.pid if self.process else None
        return next((job for job in running_jobs() if job.pid == pid), None)


class StartedRuns:
    """All runs that this page started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: list[Started] = []

    def all(self) -> list[Started]:
        """The newest first."""
        return self._runs[::-1]

    def get(self, number: int) -> Started:
        """The run of that number."""
        if not 0 <= number < len(self._runs):
            raise InputError(f"There is no started run {number}. Look at the list of runs.")
        return self._runs[number]

    def start(self, probe: str, model: str, folder: Path, settings: Sequence[str]) -> Started:
        """Start a run in a process of its own."""
        command = [sys.executable, "-m", "tacit", "run", probe, "--model", model, "--out", str(folder)]
        command += [word for setting in settings for word in ("--set", setting)]
        with self._lock:
            started = Started(len(self._runs), probe, model, command, folder)
            self._launch(started)
            self._runs.append(started)
        return started

    def go_on(self, number: int) -> Started:
        """Continue a run that was stopped: the same command again."""
        started = self.get(number)
        with self._lock:
            if started.status == "running":
                raise InputError("It is running already.")
            started.stopped = False
            self._launch(started)
        return started

    def stop(self, number: int) -> Started:
        """Ask a run to stop; what was answered is kept."""
        started = self.get(number)
        if started.process is not None and started.status == "running":
            started.stopped = True
            started.process.terminate()
            started.process.wait(30)
        return started

    def close(self) -> None:
        """Stop everything that runs, when the page ends."""
        for started in self._runs:
            self.stop(started.number)

    def _launch(self, started: Started) -> None:
        if sum(run.status == "running" for run in self._runs) >= MOST_AT_ONCE:
            raise InputError(f"{MOST_AT_ONCE} runs are running already. Wait for one, or stop it.")
        started.log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the run is on the page
        started.process = subprocess.Popen(started.command, stdout=started.log, stderr=subprocess.STDOUT)
