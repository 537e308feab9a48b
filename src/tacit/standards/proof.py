"""What the shipped weights do, measured on texts that they never saw: the figures of the model cards."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.standards import HOME
from tacit.standards.examination import (
    marked_share,
    marked_shares,
    pseudo_perplexity,
    review_accuracy,
    review_leanings,
)
from tacit.standards.reading import Passage, share
from tacit.standards.texts import Texts, is_held_out
from tacit.statistics import Interval

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = [
    "NEW_VERSES",
    "OLD_VERSES",
    "SENTENCES",
    "VERSES",
    "HeldOut",
    "Proof",
    "held_out_texts",
    "held_out_verses",
    "prove",
    "shipped_verses",
    "write_verses",
]

VERSES = HOME / "held-out-verses.csv"
OLD_VERSES, NEW_VERSES = "verses, Early Modern", "verses, modern"
OTHERS = {"early-modern": "plays and poems, Early Modern", "modern": "prose and reviews, modern"}
SENTENCES = (
    "Why wilt [MASK] be offended by that?",
    "I pray [MASK], tell me what he said.",
    "And the king said [MASK] his servants, Go.",
    "He [MASK] not spoken to me since that day.",
    "Thou shalt not [MASK] thy neighbour.",
    "O my [MASK], my heart is heavy!",
    "This is one of the best [MASK] I have ever seen.",
    "The movie was really [MASK].",
    "We need to [MASK] taxes and create new jobs.",
    "She works in a [MASK] in New York.",
    "I don't [MASK] what you mean.",
    "The children went to [MASK].",
)
EXAMINED = 100
REVIEWS = 400


@dataclass(frozen=True)
class HeldOut:
    """Texts that no standard was trained on: by kind, and reviews with their labels."""

    parts: dict[str, list[str]]
    reviews: list[str]
    labels: list[str]


@dataclass(frozen=True)
class Proof:
    """What one standard does with texts of both varieties."""

    perplexities: dict[str, Interval]
    marked: Interval
    marked_by_blank: dict[str, float]
    fills: dict[str, list[tuple[str, float]]]
    reviews: Interval
    reviews_uncalibrated: Interval


def prove(model: Model, held_out: HeldOut) -> Proof:
    """Ask a model everything that its card reports."""
    leanings = review_leanings(model, held_out.reviews)
    return Proof(
        perplexities={name: pseudo_perplexity(model, part) for name, part in held_out.parts.items()},
        marked=marked_share(model),
        marked_by_blank=marked_shares(model),
        fills={text: [(f.token, f.probability) for f in model.fill(text, top=5)] for text in SENTENCES},
        reviews=review_accuracy(leanings, held_out.labels, float(np.median(leanings))),
        reviews_uncalibrated=review_accuracy(leanings, held_out.labels, 0.0),
    )


def held_out_texts(varieties: dict[str, Texts], pairs: Sequence[tuple[Passage, Passage]]) -> HeldOut:
    """The same verses in both varieties, what each standard has besides the Bible, and reviews."""
    parts = held_out_verses(pairs)
    for name, title in OTHERS.items():
        others = [each for each in varieties[name].held_out if not each.key.startswith("verse-")]
        parts[title] = [each.text for each in sorted(others, key=_order)[:EXAMINED]]
    reviews = _reviews(varieties["modern"])
    return HeldOut(parts, [each.text for each in reviews], [each.label for each in reviews])


def held_out_verses(pairs: Sequence[tuple[Passage, Passage]]) -> dict[str, list[str]]:
    """The same held-out verses in both varieties."""
    kept = sorted((pair for pair in pairs if is_held_out(pair[0].key)), key=lambda pair: _order(pair[0]))[:EXAMINED]
    return {OLD_VERSES: [old.text for old, _ in kept], NEW_VERSES: [new.text for _, new in kept]}


def write_verses(verses: dict[str, list[str]]) -> None:
    """Keep the held-out verse pairs in the package, for tests that run without the corpora."""
    with VERSES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["early_modern", "modern"])
        writer.writerows(zip(verses[OLD_VERSES], verses[NEW_VERSES], strict=True))


def shipped_verses() -> list[tuple[str, str]]:
    """The held-out verse pairs of the package: (King James Version, World English Bible), both in the public domain."""
    with VERSES.open(encoding="utf-8", newline="") as file:
        return [(row["early_modern"], row["modern"]) for row in csv.DictReader(file)]


def _reviews(texts: Texts) -> list[Passage]:
    """As many positive as negative held-out reviews: the last stretch of each, where its verdict usually stands."""
    last = {each.key: each for each in texts.held_out if each.source == "reviews"}
    chosen: list[Passage] = []
    for label in ("positive", "negative"):
        chosen += sorted((each for each in last.values() if each.label == label), key=_order)[: REVIEWS // 2]
    return chosen


def _order(passage: Passage) -> float:
    return share(passage.key + "-examined")
