"""Whether memory stays flat: a million streamed questions to a tiny model, with the cache on.

python -m benchmarks.soak [--questions N]
"""

from __future__ import annotations

import argparse
import logging
import resource
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from time import perf_counter, process_time

import torch
import transformers

import tacit
from benchmarks.random_models import WORDS, build_bert
from tacit.questions import Fill

LIMIT_MB = 1000
STEP = 100_000
_SIZES = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}


def main() -> int:
    """Print time and peak memory every 100,000 answers; exit 1 when memory goes over the limit."""
    parser = argparse.ArgumentParser(description="Ask a tiny model very many questions and watch the memory.")
    parser.add_argument("--questions", type=int, default=1_000_000)
    count: int = parser.parse_args().questions
    torch.set_num_threads(1)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        build_bert(Path(folder) / "model", vocabulary=WORDS[:500], **_SIZES)
        model = tacit.load(Path(folder) / "model")
        print(f"{'questions':>10} {'seconds':>8} {'processor':>9} {'a second':>8} {'peak MB':>8}")
        started, begun = perf_counter(), process_time()
        answers = tacit.ask(model, islice(_questions(), count), cache=Path(folder) / "answers.sqlite")
        for number, _ in enumerate(answers, start=1):
            if number % STEP == 0 or number == count:
                wall, cpu = perf_counter() - started, process_time() - begun
                print(f"{number:10,} {wall:8.0f} {cpu:9.0f} {number / wall:8.0f} {_peak_mb():8.0f}", flush=True)
    fine = _peak_mb() < LIMIT_MB
    print(f"peak memory {_peak_mb():.0f} MB, limit {LIMIT_MB} MB: {'reached' if fine else 'NOT reached'}")
    return 0 if fine else 1


def _questions() -> Iterator[Fill]:
    """Texts that are all different, of six lengths."""
    few = WORDS[:100]
    for number, words in enumerate(product(few, few, few)):
        yield Fill(" ".join([*words, *few[: number % 6], "[MASK]"]))


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
