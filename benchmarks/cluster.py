"""What a cluster costs and gives: the driver's own work per question, two workers against two threads, and, from the
measured costs, what 8, 64 and 512 workers would do.

    python -m benchmarks.cluster                 # all of it; takes some minutes on two free cores
    python -m benchmarks.cluster --driver-only   # only what the driver costs, and the simulation
"""

from __future__ import annotations

import argparse
import heapq
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from benchmarks.random_models import WORDS, build_bert
from tacit.asking import Executor, ask
from tacit.asking.packing import pack_answers, unpack_answers
from tacit.methods.base import KeyedQuestion
from tacit.models import Answerer, Model
from tacit.questions import Answer, Choice, Choose, ChooseAnswer, Question
from tacit.runs.answers import AnswersWriter

WINDOW = 2048
Way = Callable[[Model, Executor | None, list[Question]], list[Answer]]
BERT_BASE_PER_SECOND = 150.0
"""Sentences of 12 tokens per second and core, where the race was not run: PERFORMANCE.md's order of magnitude."""


class PackedModel(Model):
    """Answers at once, so that only the driver's work is left; the answers come packed, as from a worker."""

    def __init__(self) -> None:
        self.name, self.family, self.fingerprint = "packed", "masked", "packed-1"

    def describe(self) -> dict[str, Any]:
        """Nothing to tell."""
        return {}

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """The same two words for all."""
        choices = (Choice("great", 0.25, 4, ("great",)), Choice("bad", 0.125, 9, ("bad",)))
        return (ChooseAnswer(choices, "packed") for _ in questions)


class PackedExecutor:
    """Hands over packed answers, whose packing (a worker's task) is not counted."""

    ahead, title = 4, "packed"

    def __init__(self) -> None:
        self.not_counted = 0.0

    def load(self, name: str, **_options: Any) -> Model:
        """The only model there is."""
        return PackedModel()

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Pack on the worker's account, unpack on the driver's."""
        began = process_time()
        packed = pack_answers(list(model.answer(questions)))
        self.not_counted += process_time() - began
        return enumerate(unpack_answers(packed))


def main() -> None:
    """Measure, simulate, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver-only", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        driver = _driver_seconds(Path(scratch), 40_000)
        print(f"driver: {driver * 1e6:.0f} microseconds of processor time per question (cache, order, answers.parquet)")
        print(f"        at most {1 / driver:,.0f} questions per second")
        rate = BERT_BASE_PER_SECOND
        good = True
        if not options.driver_only:
            rate, good = _race(Path(scratch), options.rounds)
    _simulate(driver, rate)
    sys.exit(0 if good else 1)


def _driver_seconds(folder: Path, count: int) -> float:
    """Processor time of the driver per question: keys, cache, packing, order, and the file of answers."""
    questions = [KeyedQuestion({"n": n}, Choose(f"Text {n} was [MASK].", ("great", "bad"))) for n in range(count)]
    executor, writer = PackedExecutor(), AnswersWriter(folder)
    began = process_time()
    stream = (keyed.question for keyed in questions)
    answers = ask(PackedModel(), stream, cache=folder / "answers.sqlite", executor=executor)
    for keyed, answer in zip(questions, answers, strict=True):
        writer.add(keyed, answer)
    writer.finish(folder / "answers.parquet")
    return (process_time() - began - executor.not_counted) / count


def _race(folder: Path, rounds: int) -> tuple[float, bool]:
    """Two workers of one thread against one process of two threads, on BERT-base, in interleaved rounds."""
    import torch  # noqa: PLC0415 - only the race needs it

    import tacit  # noqa: PLC0415
    from tacit.asking.ray import RayExecutor  # noqa: PLC0415

    # Ray's workers yield to everybody else; here both sides must be equal.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray spells it so
    build_bert(folder / "bert")
    texts = (" ".join(WORDS[(7 * n + k) % 2000] for k in range(8)) for n in range(2 * WINDOW))
    questions: list[Question] = [Choose(f"{text} [MASK].", (WORDS[1], WORDS[2])) for text in texts]
    executor = RayExecutor(workers=2)
    remote = executor.load(str(folder / "bert"), force=True)
    torch.set_num_threads(2)
    local = tacit.load(str(folder / "bert"), force=True)
    list(local.answer(questions[:64]))
    ways: dict[str, Way] = {"as asked": _as_asked, f"in windows of {WINDOW}": _in_windows}
    times: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            threads, there = _timed(way, local, None, questions)
            workers, elsewhere = _timed(way, remote, executor, questions)
            times[name].append((threads, workers))
            print(f"{name}: {threads:.0f} s with two threads, {workers:.0f} s with two workers", flush=True)
    good = True
    for name, least in zip(ways, (0.9, 0.95), strict=True):
        ratios = [threads / workers for threads, workers in times[name]]
        shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"two workers against two threads, BERT-base, {name}: {median(ratios):.2f} ({shown}; at least {least})")
        good = good and median(ratios) >= least
    per_second = len(questions) / median(workers for pairs in times.values() for _, workers in pairs)
    print(f"        {per_second:,.0f} questions per second on two cores")
    print(f"        the answers of workers and threads are {'' if there == elsewhere else 'NOT '}the same to the bit")
    return per_second / 2, good


def _timed(way: Way, model: Model, executor: Executor | None, questions: list[Question]) -> tuple[float, list[Answer]]:
    began = perf_counter()
    answers = way(model, executor, questions)
    return perf_counter() - began, answers


def _as_asked(model: Model, executor: Executor | None, questions: list[Question]) -> list[Answer]:
    """As a user asks."""
    return list(ask(model, questions, cache=None, executor=executor))


def _in_windows(model: Model, executor: Executor | None, questions: list[Question]) -> list[Answer]:
    """In windows of full size, as in the middle of a large job."""
    windows = [questions[start : start + WINDOW] for start in range(0, len(questions), WINDOW)]
    started = [executor.start(model, window) if executor else enumerate(model.answer(window)) for window in windows]
    return [answer for answers in started for _, answer in answers]


def _simulate(driver: float, rate: float) -> None:
    """Workers that take a window's time each, and one driver that handles windows one after the other."""
    print(f"simulated, workers that answer {rate:,.0f} questions per second each:")
    for workers in (8, 64, 512):
        finished, efficiency = _simulated_run(workers, driver * WINDOW, WINDOW / rate)
        print(f"  {workers:4} workers: {finished:10,.0f} questions per second, {efficiency:.0%} of {workers} times one")
    print(f"the driver is the first limit, from {1 / (driver * rate):,.0f} such workers on")


def _simulated_run(workers: int, driver: float, worker: float, windows: int = 20_000) -> tuple[float, float]:
    """Questions per second, and the share of the workers' capacity that they are, over many windows."""
    free = [0.0] * workers
    clock = 0.0
    results: list[float] = []
    for _ in range(windows):
        clock += driver / 2  # looking up and sending a window
        start = max(heapq.heappop(free), clock)
        heapq.heappush(free, start + worker)
        heapq.heappush(results, start + worker)
        if len(results) >= 2 * workers:
            clock = max(clock, heapq.heappop(results)) + driver / 2  # receiving one
    while results:
        clock = max(clock, heapq.heappop(results)) + driver / 2
    per_second = windows * WINDOW / clock
    return per_second, per_second / (workers * WINDOW / worker)


if __name__ == "__main__":
    main()
