"""Jobs that are running now, so that `tacit status` can show them from another terminal."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from tacit.storage import cache_folder, write_atomic

__all__ = ["Job", "running_jobs", "watched_job"]

_SECONDS_BETWEEN_WRITES = 2.0


@dataclass
class Job:
    """One probe that is being asked of one model.

    Attributes:
        probe: The name of the probe.
        model: The name of the model.
        folder: The folder of the run.
        where: The executor, such as "local" or "ray, 8 workers".
        total: How many questions there are, at most; None if that is not known.
        answered: How many have been answered.
        started: When it began, in seconds since 1970.
        pid: Its process.
        host: Its machine.
    """

    probe: str
    model: str
    folder: str
    where: str
    total: int | None
    answered: int = 0
    started: float = 0.0
    pid: int = 0
    host: str = ""

    @property
    def rate(self) -> float:
        """Questions answered per second so far."""
        return self.answered / max(1e-9, time.time() - self.started)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this rate; None if that cannot be said."""
        if self.total is None or not self.answered:
            return None
        return max(0.0, (self.total - self.answered) / self.rate)


class _Writer:
    """Keeps a job's file up to date, but writes it seldom."""

    def __init__(self, job: Job, path: Path) -> None:
        self.job = job
        self.path = path
        self.last = -_SECONDS_BETWEEN_WRITES

    def advance(self, count: int = 1) -> None:
        """Count answers."""
        self.job.answered += count
        if time.monotonic() - self.last >= _SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Write the file; a job that cannot be shown must not fail because of that."""
        self.last = time.monotonic()
        try:
            write_atomic(self.path, json.dumps(asdict(self.job)).encode())
        except OSError:
            return


@contextmanager
def watched_job(job: Job) -> Iterator[_Writer]:
    """Show a job in `tacit status` while the block runs."""
    job.started, job.pid, job.host = time.time(), os.getpid(), socket.gethostname()
    writer = _Writer(job, _folder() / f"{job.host}-{job.pid}-{time.time_ns()}.json")
    writer.write()
    try:
        yield writer
    finally:
        with suppress(OSError):  # a cache that cannot be written has no such file
            writer.path.unlink()


def running_jobs() -> list[Job]:
    """The jobs that are running, the oldest first; files of jobs that were killed are removed."""
    jobs = []
    for path in sorted(_folder().glob("*.json")):
        try:
            job = msgspec.json.decode(path.read_bytes(), type=Job)
        except (OSError, msgspec.MsgspecError):
            continue  # it ended in this moment, or is not ours
        if job.host == socket.gethostname() and not _is_alive(job.pid):
            with suppress(OSError):
                path.unlink()
        else:
            jobs.append(job)
    return sorted(jobs, key=lambda job: job.started)


def _folder() -> Path:
    return cache_folder() / "jobs"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
