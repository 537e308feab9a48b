"""Stop commands at random moments, give them again, and compare what they end with, bit for bit.

    python -m benchmarks.kills --kills 100

Each job is first run undisturbed. Then it is started again and stopped after a random time, by kill -9 or by Ctrl-C,
until its share of the stops is used up, and at last run to its end. Its files must be those of the undisturbed run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

TEXT = "We waited in the kitchen of the old house for an hour. The soup that they brought was {} {}.\n\n"
ADJECTIVES = ("cold", "good", "hot", "bad", "new", "old", "strange", "wonderful", "terrible", "sweet")
ADVERBS = ("always", "never", "really", "slightly", "often", "very")
CORPUS_FILES = 12
STOPPED = b"Stopped; the same command continues."


@dataclass(frozen=True)
class Job:
    """A command, what it writes, and which of its files must come out the same."""

    name: str
    words: tuple[str, ...]
    out: str
    kept: tuple[str, ...] = ()


def jobs(folder: Path) -> list[Job]:
    """A run in one round, a run in several rounds, a harvest and a tuning."""
    shift = ("--set", "words=12", "--set", "reviews_per_class=20", "--set", "calls=balanced")
    tuning = ("--reviews", str(_reviews(folder)), "--shots", "4", "--epochs", "6", "--patience", "6", "--rate", "1e-4")
    corpus = [word for path in _corpus(folder) for word in ("--corpus", str(path))]
    return [
        Job("run", ("run", "temporal", "--model", "modern", "--out", "out"), "out", ("*.parquet",)),
        Job("rounds", ("run", "sentiment-shift", "--model", "modern", *shift, "--out", "out"), "out", ("*.parquet",)),
        Job("harvest", ("harvest", "intensifier", *corpus, "--out", "out.csv"), "out.csv"),
        Job("tune", ("tune", "prompt", "--model", "modern", *tuning, "--out", "out"), "out", ("model.safetensors",)),
    ]


def main() -> None:
    """Stop each job its share of times; exit with 1 where a job ended otherwise than undisturbed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how many stops in all")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--job", action="append", help="only this one (repeatable)")
    options = parser.parse_args()
    seed = random.randrange(2**32) if options.seed is None else options.seed
    # What takes long to import is imported once: children begin with the work, which is where stopping them matters.
    for module in ("torch", "transformers", "tacit.cli.main", "tacit.models.hf.loading"):
        import_module(module)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        chosen = [job for job in jobs(Path(name)) if not options.job or job.name in options.job]
        stops = -(-options.kills // len(chosen))
        results = [_examine(job, Path(name) / job.name, stops, random.Random(f"{seed} {job.name}")) for job in chosen]
    sys.exit(0 if all(results) else 1)


def _examine(job: Job, folder: Path, stops: int, rng: random.Random) -> bool:
    """Run a job undisturbed and disturbed; whether both end with the same bits and nothing is left over."""
    began = time.monotonic()
    whole = folder / "whole"
    _wait(_start(job, whole), None)
    seconds, expected = time.monotonic() - began, _result(job, whole)
    same, folders, signals = bool(expected), 0, []
    while len(signals) < stops:
        place = folder / f"stopped-{folders}"
        signals += _stop_repeatedly(job, place, seconds, rng)
        _wait(_start(job, place), None)
        ended = {**_result(job, place), "files": _files(place)}
        if ended != {**expected, "files": _files(whole)}:
            same = False
            print(f"{job.name}: {ended} instead of {expected}, {(place / 'stderr').read_text(encoding='utf-8')}")
        folders += 1
    print(
        f"{job.name}: {seconds:.1f} s undisturbed; killed {signals.count(signal.SIGKILL)} times and interrupted "
        f"{signals.count(signal.SIGINT)} times in {folders} folders; at the end {'the same' if same else 'OTHER'} bits",
        flush=True,
    )
    return same


def _stop_repeatedly(job: Job, place: Path, seconds: float, rng: random.Random) -> list[int]:
    """Start a job and stop it, up to five times in the same folder or until it ends; by which signals."""
    signals: list[int] = []
    for _ in range(5):
        child = _start(job, place)
        number = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGINT))
        if not _wait(child, rng.uniform(0, seconds), number):
            break
        signals.append(number)
        said = (place / "stderr").read_bytes() if (place / "stderr").exists() else b""
        # Nothing is said where the signal came before the command had begun.
        assert number == signal.SIGKILL or not said or STOPPED in said, said.decode()
    return signals


def _start(job: Job, folder: Path) -> int:
    """The id of a child process that runs the command in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child:
        return child
    os.chdir(folder)
    os.environ["TACIT_CACHE"] = str(folder / "cache")
    output = os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["tacit", *job.words]
    try:
        import_module("tacit.cli.main").main()
    finally:
        os._exit(0)  # whatever happened: the rest of this program belongs to the parent


def _wait(child: int, seconds: float | None, number: int = signal.SIGKILL) -> bool:
    """Wait until a child ends; after `seconds` stop it. Whether it was stopped."""
    end = None if seconds is None else time.monotonic() + seconds
    while end is not None and time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        time.sleep(0.002)
    if end is not None:
        os.kill(child, number)
    os.waitpid(child, 0)
    return end is not None


def _result(job: Job, folder: Path) -> dict[str, str]:
    out = folder / job.out
    files = [out] if out.is_file() else [path for pattern in job.kept for path in sorted(out.glob(pattern))]
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    if (out / "run.json").is_file():
        hashes["status"] = json.loads((out / "run.json").read_text(encoding="utf-8"))["status"]
    return hashes


def _files(folder: Path) -> str:
    """What stands in the folder, the cache left out: nothing may be left over."""
    names = (str(path.relative_to(folder)) for path in folder.rglob("*"))
    return " ".join(sorted(name for name in names if not name.startswith(("cache", "stderr"))))


def _reviews(folder: Path) -> Path:
    path, labels = folder / "reviews.csv", (("good", "positive"), ("bad", "negative"))
    rows = [f"The film number {n} was {word}.,{label}" for n in range(40) for word, label in labels]
    path.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    return path


def _corpus(folder: Path) -> list[Path]:
    rng = random.Random(0)
    paths = [folder / f"corpus-{number}.txt" for number in range(CORPUS_FILES)]
    for path in paths:
        texts = (TEXT.format(rng.choice(ADVERBS), rng.choice(ADJECTIVES)) for _ in range(3_000))
        path.write_text("".join(texts), encoding="utf-8")
    return paths


if __name__ == "__main__":
    main()
