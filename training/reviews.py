"""The standard `reviews`: `modern`, taught by our own `tacit tune prompt` which word belongs after a review."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.data.fetching import chosen_digests
from tacit.data.labeled import LabeledText, digest, read_labeled
from tacit.probes import load_probe
from tacit.standards import standard_path
from tacit.tables import read_csv
from training.choosing import REVIEW_SOURCES, balance, is_known, known_sentences
from training.cleaning import sentences
from training.reading import read
from training.texts import split

if TYPE_CHECKING:
    from tacit.tuning import TunedModel

__all__ = ["NAME", "closing", "make_reviews", "training_reviews", "write_training_reviews"]

NAME, BASE = "reviews", "modern"
SHOTS, HELD_OUT = 2_800, 200
# The first setting that reached 75 % on two sources; a larger one was not trained to its end, so more may be possible.
CLOSING_WORDS = 30


def make_reviews(folder: Path, report: Callable[[str], None] = print) -> None:
    """Tune `modern` on reviews, keep it in half precision beside the other standards, and write its card."""
    from tacit.tuning import PromptTuning, tune_prompt  # noqa: PLC0415 - torch is slow to import
    from training.review_card import write_card  # noqa: PLC0415

    path = write_training_reviews(folder, report)
    options = PromptTuning(shots=SHOTS, held_out=HELD_OUT, rate=5e-4, batch=16, epochs=3, patience=1)
    tuned = tune_prompt(BASE, path, folder / "standards" / NAME, options, on_epoch=lambda epoch: report(str(epoch)))
    _export(tuned)
    write_card(folder, path, options, tuned, report)


def _export(tuned: TunedModel) -> None:
    from transformers import BertForMaskedLM  # noqa: PLC0415

    from training.train import export  # noqa: PLC0415

    home = standard_path(NAME)
    home.mkdir(exist_ok=True)
    export(BertForMaskedLM.from_pretrained(tuned.folder), home)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(standard_path(BASE) / name, home / name)


def training_reviews(folder: Path) -> list[LabeledText]:
    """The reviews to learn from: none that a probe asks, nor a sentence of one, and none that is held out."""
    everything = list(read_labeled(folder))
    chosen = set(chosen_digests())
    asked = [review.text for review in everything if digest(review.text) in chosen]
    shipped = read_csv(load_probe("sentiment-association").file("reviews.csv"), ("text",))
    held_out = split(passage for name in REVIEW_SOURCES for passage in read(name, folder)).held_out
    known = known_sentences([*asked, *(row["text"] for row in shipped), *(passage.text for passage in held_out)])
    free = [review for review in everything if not is_known(review.text, known)]
    return balance([LabeledText(each.source, closing(each.text), each.positive) for each in free], SHOTS + HELD_OUT)


def closing(text: str, words: int = CLOSING_WORDS) -> str:
    """The last sentences of a review, where its verdict usually stands: within so many words, or the last alone."""
    parts = sentences(text)
    kept = [parts[-1]]
    for part in reversed(parts[:-1]):
        if sum(len(each.split()) for each in (part, *kept)) > words:
            break
        kept.insert(0, part)
    return " ".join(" ".join(kept).split()[-words:])


def write_training_reviews(folder: Path, report: Callable[[str], None] = print) -> Path:
    """Write the reviews to learn from as a CSV file for `tacit tune prompt`."""
    path = folder / "training-reviews.csv"
    reviews = training_reviews(folder)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("text", "label", "source"))
        writer.writerows((review.text, review.label, review.source) for review in reviews)
    report(f"{path}: {len(reviews)} reviews")
    return path
