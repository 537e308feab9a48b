"""How long the statistics take on one core: the bootstrap of 10,000 items must stay under two seconds."""

from __future__ import annotations

import os

# One core is promised, and the matrix library reads this when it is first imported.
os.environ["OMP_NUM_THREADS"] = "1"

import sys
from collections.abc import Callable
from time import process_time

import numpy as np

from tacit.statistics import bootstrap, bootstrap_many, correlation, permutation_test, sign_flip_test

LIMIT_SECONDS = 2.0
ITEMS = 10_000


def main() -> int:
    """Print the best of three processor times each; exit 1 when the promised one is over its limit."""
    values = np.random.default_rng(1).normal(size=ITEMS)
    tasks: dict[str, Callable[[], object]] = {
        "bootstrap mean, percentile": lambda: bootstrap(values),
        "bootstrap mean, BCa": lambda: bootstrap(values, method="bca"),
        "bootstrap mean, 2,000 clusters": lambda: bootstrap(values, clusters=np.arange(ITEMS) // 5),
        "bootstrap 100 means of 1,000 items": lambda: bootstrap_many(values[:1000, None] * np.arange(100)),
        "sign-flip test": lambda: sign_flip_test(values),
        "label permutation test": lambda: permutation_test(values[:5000], values[5000:]),
        "Spearman of 1,000 pairs": lambda: correlation(values[:1000], values[:1000] + values[1000:2000]),
    }
    seconds = {name: min(_seconds(task) for _ in range(3)) for name, task in tasks.items()}
    print(f"10,000 resamples of {ITEMS:,} items unless said otherwise, one core, processor seconds (best of 3)")
    for name, taken in seconds.items():
        print(f"{name:38} {taken:6.2f} s")
    return 1 if seconds["bootstrap mean, percentile"] > LIMIT_SECONDS else 0


def _seconds(task: Callable[[], object]) -> float:
    start = process_time()
    task()
    return process_time() - start


if __name__ == "__main__":
    sys.exit(main())
