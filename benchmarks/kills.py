"""Kill commands at random moments, give them again, and compare what they end with, bit for bit.

    python -m benchmarks.kills --kills 100

Each job is first run undisturbed. Then it is started again and killed (SIGKILL) after a random time, as often as it has
kills left, and at last run to its end. Its files must be those of the undisturbed run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TEXT = "We waited in the kitchen of the old house for an hour. The soup that they brought was {} {}.\n"
ADJECTIVES = ("cold", "good", "hot", "bad", "new", "old", "strange", "wonderful", "terrible", "sweet")
ADVERBS = ("always", "never", "really", "slightly", "often", "very")


@dataclass(frozen=True)
class Job:
    """A command, what it writes, and which of its files must come out the same."""

    name: str
    words: tuple[str, ...]
    out: str
    kept: tuple[str, ...]


def jobs(folder: Path) -> list[Job]:
    """A run in one round, a run in several rounds, a harvest and a tuning."""
    reviews, corpus = folder / "reviews.csv", folder / "corpus.txt"
    labels = (("good", "positive"), ("bad", "negative"))
    rows = [f"The film number {n} was {word}.,{label}" for n in range(40) for word, label in labels]
    reviews.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    rng = random.Random(0)
    texts = (TEXT.format(rng.choice(ADVERBS), rng.choice(ADJECTIVES)) for _ in range(60_000))
    corpus.write_text("".join(texts), encoding="utf-8")
    tables = ("*.parquet",)
    shift = ("--set", "words=12", "--set", "reviews_per_class=20", "--set", "calls=balanced")
    tuning = ("--reviews", str(reviews), "--shots", "4", "--epochs", "6", "--patience", "6", "--rate", "1e-4")
    return [
        Job("run", ("run", "temporal", "--model", "modern", "--out", "run"), "run", tables),
        Job("rounds", ("run", "sentiment-shift", "--model", "modern", *shift, "--out", "rounds"), "rounds", tables),
        Job("harvest", ("harvest", "intensifier", "--corpus", str(corpus), "--out", "found.csv"), "found.csv", ()),
        Job(
            "tune", ("tune", "prompt", "--model", "modern", *tuning, "--out", "tuned"), "tuned", ("model.safetensors",)
        ),
    ]


def main() -> None:
    """Kill each job its share of times; exit with 1 where a job ended otherwise than undisturbed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, failed = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        todo = jobs(folder)
        for job in todo:
            began = time.monotonic()
            expected = _result(job, _whole(job, folder / f"{job.name}-undisturbed"))
            seconds = time.monotonic() - began
            killed, found = _killed(job, folder / f"{job.name}-killed", options.kills // len(todo), seconds, rng)
            same = found == expected
            failed += not same
            print(f"{job.name}: killed {killed} times, {'the same bits' if same else 'OTHER BITS'}", flush=True)
    sys.exit(1 if failed else 0)


def _whole(job: Job, folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(_command(job), cwd=folder, env=_environment(folder), check=True, capture_output=True)
    return folder


def _killed(job: Job, folder: Path, kills: int, seconds: float, rng: random.Random) -> tuple[int, dict[str, str]]:
    folder.mkdir()
    killed = 0
    for _ in range(kills):
        process = subprocess.Popen(
            _command(job), cwd=folder, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=rng.uniform(0, seconds * 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            continue
        # It reached its end: begin anew, so that the kills left meet work and not a finished job.
        folder = folder.with_name(f"{folder.name}+")
        folder.mkdir()
    subprocess.run(_command(job), cwd=folder, env=_environment(folder), check=False, capture_output=True)
    return killed, _result(job, folder)


def _command(job: Job) -> list[str]:
    return [sys.executable, "-m", "tacit", *job.words]


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "TACIT_CACHE": str(folder / "cache"), "OMP_NUM_THREADS": "1"}


def _result(job: Job, folder: Path) -> dict[str, str]:
    out = folder / job.out
    files = [out] if out.is_file() else [path for pattern in job.kept for path in sorted(out.glob(pattern))]
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    if (out / "run.json").is_file():
        hashes["status"] = json.loads((out / "run.json").read_text(encoding="utf-8"))["status"]
    return hashes


if __name__ == "__main__":
    main()
