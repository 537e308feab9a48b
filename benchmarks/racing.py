"""Races in interleaved rounds: in every round each contestant runs once, so that a busy machine slows all alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Any

import torch

from tacit.models.hf.layers import Product

__all__ = ["Contestant", "Race", "Times", "gemm_gflops", "run_race", "seconds_of"]

GEMM = "matrix product"


@dataclass(frozen=True)
class Times:
    """Seconds on the wall's clock and of the processor."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Contestant:
    """One way of answering `items` questions; `read` turns what it returns into numbers that can be compared."""

    name: str
    items: int
    run: Callable[[], Any]
    read: Callable[[Any], list[float]]


@dataclass(frozen=True)
class Race:
    """The seconds per question of every contestant in every round, and what each said in the last."""

    rounds: list[dict[str, Times]]
    numbers: dict[str, list[float]]

    def ratio(self, slower: str, faster: str) -> Times:
        """How many times faster: the median over rounds of the ratio within a round."""
        pairs = [(each[slower], each[faster]) for each in self.rounds]
        return Times(median(a.wall / b.wall for a, b in pairs), median(a.cpu / b.cpu for a, b in pairs))

    def difference(self, one: str, other: str) -> float:
        """The largest difference between two contestants' numbers, over the questions that both answered."""
        pairs = zip(self.numbers[one], self.numbers[other], strict=False)
        return max(abs(a - b) for a, b in pairs)


def run_race(contestants: list[Contestant], rounds: int) -> Race:
    """Run everybody once a round, after the matrix product; medians take care of a slow first round."""
    measured: list[dict[str, Times]] = []
    said: dict[str, Any] = {}
    for _ in range(rounds):
        gemm = gemm_gflops()
        here = {GEMM: Times(1 / gemm.wall, 1 / gemm.cpu)}
        for each in contestants:
            taken, said[each.name] = seconds_of(each.run)
            here[each.name] = Times(taken.wall / each.items, taken.cpu / each.items)
        measured.append(here)
    return Race(measured, {each.name: each.read(said[each.name]) for each in contestants})


def seconds_of(task: Callable[[], Any]) -> tuple[Times, Any]:
    """How long a task takes, and what it returns."""
    wall, cpu = perf_counter(), process_time()
    returned = task()
    return Times(perf_counter() - wall, process_time() - cpu), returned


def gemm_gflops(rows: int = 1024, repeats: int = 4) -> Times:
    """GFLOP/s of a BERT-base layer's widest product at its quickest, by the wall's clock and the processor's."""
    vectors, product = torch.randn(rows, 768), Product(torch.randn(3072, 768), None)
    product.pack()
    with torch.inference_mode():
        product(vectors)
        taken, _ = seconds_of(lambda: [product(vectors) for _ in range(repeats)])
    work = 2e-9 * rows * 768 * 3072 * repeats
    return Times(work / taken.wall, work / taken.cpu)
