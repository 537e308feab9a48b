"""What the quicker layers bring: the same network with and without them, in interleaved rounds.

python -m benchmarks.layers_speed [--rounds N] [--threads N]
"""

from __future__ import annotations

import argparse
import copy
import logging
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers

from benchmarks.racing import Contestant, Race, run_race
from benchmarks.random_models import build_bert, build_gpt2
from tacit.models.hf.layers import Product, use_fast_layers

_PLAIN, _QUICK = "plain", "quicker"
_BATCHES = {"64 sentences at once": (64, 12), "one sentence": (1, 12)}


def main() -> None:
    """Race and print."""
    parser = argparse.ArgumentParser(description="Race quicker layers against plain ones.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    print(f"torch {torch.__version__}, fp32, {options.threads} thread(s), medians of {options.rounds} rounds")
    with torch.inference_mode():
        for rows, inner, outer in ((1024, 768, 3072), (64, 768, 4096)):
            race = run_race(_products(rows, inner, outer), options.rounds)
            _tell(f"product of {rows} vectors, {inner} to {outer}", race)
        _race_networks(options.rounds)


def _products(rows: int, inner: int, outer: int) -> list[Contestant]:
    vectors, plain, packed = torch.randn(rows, inner), *_pair(torch.randn(outer, inner))
    return [_contestant(_PLAIN, lambda: plain(vectors)), _contestant(_QUICK, lambda: packed(vectors))]


def _pair(weight: torch.Tensor) -> tuple[Product, Product]:
    packed = Product(weight, None)
    packed.pack()
    return Product(weight, None), packed


def _race_networks(rounds: int) -> None:
    kinds: dict[str, tuple[Callable[[Path], Path], Any]] = {
        "BERT-base": (build_bert, transformers.AutoModelForMaskedLM),
        "GPT-2": (build_gpt2, transformers.AutoModelForCausalLM),
    }
    for name, (build, auto) in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            plain = auto.from_pretrained(build(Path(folder))).base_model.eval()
        quick = copy.deepcopy(plain)
        use_fast_layers(quick, [])
        for title, size in _BATCHES.items():
            racing = _bodies({_PLAIN: plain, _QUICK: quick}, torch.randint(10, 30_000, size))
            _tell(f"{name}, {title}", run_race(racing, rounds))


def _bodies(named: dict[str, Any], ids: torch.Tensor) -> list[Contestant]:
    return [_contestant(name, partial(_last_layer, body, ids)) for name, body in named.items()]


def _last_layer(body: Any, ids: torch.Tensor) -> torch.Tensor:
    hidden: torch.Tensor = body(ids).last_hidden_state
    return hidden


def _contestant(name: str, run: Callable[[], torch.Tensor]) -> Contestant:
    return Contestant(name, 1, run, lambda found: found.flatten().tolist())


def _tell(title: str, race: Race) -> None:
    ratio, difference = race.ratio(_PLAIN, _QUICK), race.difference(_PLAIN, _QUICK)
    print(f"{title:38} {ratio.wall:5.2f} | {ratio.cpu:5.2f} times as fast, largest difference {difference:.0e}")


if __name__ == "__main__":
    main()
