"""How long a whole run of each study takes for a model of the size of BERT-base: `python -m benchmarks.full_runs`.

Nothing is run to its end: the questions are counted, and up to 256 of them, spread over the run, are timed here.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from transformers import BertConfig, BertForMaskedLM

import tacit
from tacit.asking import Cache
from tacit.models import Model
from tacit.runs.batch import PlannedRun
from tacit.runs.estimate import duration_words
from tacit.runs.plan import prepare
from tacit.runs.preview import preview
from tacit.standards import standard_path

SIZES: dict[str, dict[str, dict[str, object]]] = {
    "temporal": {"as shipped": {}},
    "regional": {"as shipped": {}, "with all cities": {"cities": "all"}},
    "sentiment-association": {"as shipped": {}, "the study's": {"reviews": "fetched", "reviews_per_class": 2000}},
    "sentiment-shift": {"as shipped": {}, "the study's": {"reviews": "fetched", "reviews_per_class": 2000}},
    "stereotype": {"as shipped": {}},
    "intensifier": {"as shipped": {}},
}
"""The settings of each size; one that is not named is as large as the study's already."""


def base_size(folder: Path) -> Model:
    """A random model of the size of BERT-base with the tokenizer of a standard: as slow as a trained one."""
    torch.manual_seed(0)
    BertForMaskedLM(BertConfig()).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((standard_path("modern") / name).read_bytes())
    return tacit.load(folder, force=True)


def main() -> None:
    """Print a Markdown table."""
    torch.set_num_threads(2)
    with tempfile.TemporaryDirectory() as desk:
        model = base_size(Path(desk) / "model")
        print("| probe | size | settings | questions | time |\n|---|---|---|---|---|", flush=True)
        for probe, sizes in SIZES.items():
            for size, settings in sizes.items():
                with Cache(Path(desk) / "answers.sqlite") as cache:
                    planned = PlannedRun(prepare(probe, dict(settings), None), "base", Path(desk) / "run")
                    found = preview(planned, lambda _: model, cache)
                told = " ".join(f"{name}={value}" for name, value in settings.items())
                lasts = duration_words(found.seconds or 0)
                print(f"| {probe} | {size} | {told} | {found.questions:,} | {lasts} |", flush=True)


if __name__ == "__main__":
    main()
