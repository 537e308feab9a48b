"""What the shipped weights do, measured on texts that they never saw: the figures of the model cards."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tacit.standards import HOME, standard_names
from tacit.standards.examination import (
    marked_share,
    marked_shares,
    pseudo_perplexity,
    review_accuracy,
    review_leanings,
)
from tacit.standards.reading import Passage, share
from tacit.standards.texts import is_held_out, texts_of, verse_pairs
from tacit.statistics import Interval

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = ["SENTENCES", "VERSES", "Proof", "prove", "shipped_verses", "write_verses"]

VERSES = HOME / "held-out-verses.csv"
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
EXAMINED = 200
REVIEWS = 400


@dataclass(frozen=True)
class Proof:
    """What one standard does with texts of both varieties."""

    perplexities: dict[str, Interval]
    marked: Interval
    marked_by_blank: dict[str, float]
    fills: dict[str, list[tuple[str, float]]]
    reviews: Interval
    reviews_uncalibrated: Interval


def prove(model: Model, folder: Path) -> Proof:
    """Ask a model everything that its card reports."""
    texts, labels = _held_out_reviews(folder)
    leanings = review_leanings(model, texts)
    return Proof(
        perplexities={name: pseudo_perplexity(model, part) for name, part in held_out_parts(folder).items()},
        marked=marked_share(model),
        marked_by_blank=marked_shares(model),
        fills={text: [(f.token, f.probability) for f in model.fill(text, top=5)] for text in SENTENCES},
        reviews=review_accuracy(leanings, labels, float(np.median(leanings))),
        reviews_uncalibrated=review_accuracy(leanings, labels, 0.0),
    )


def held_out_parts(folder: Path) -> dict[str, list[str]]:
    """Held-out texts: the same verses in both varieties, and what each standard has besides the Bible."""
    pairs = _some([pair for pair in verse_pairs(folder) if is_held_out(pair[0].key)])
    parts = {"verses, Early Modern": [old.text for old, _ in pairs], "verses, modern": [new.text for _, new in pairs]}
    for name, title in zip(
        standard_names(), ("plays and poems, Early Modern", "prose and reviews, modern"), strict=True
    ):
        others = [each for each in texts_of(name, folder).held_out if not each.key.startswith("verse-")]
        parts[title] = [each.text for each in sorted(others, key=_order)[:EXAMINED]]
    return parts


def write_verses(folder: Path, count: int = 100) -> None:
    """Keep some held-out verse pairs in the package, for tests that run without the corpora."""
    pairs = _some([pair for pair in verse_pairs(folder) if is_held_out(pair[0].key)])[:count]
    with VERSES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["verse", "early_modern", "modern"])
        writer.writerows([old.key.removeprefix("verse-"), old.text, new.text] for old, new in pairs)


def shipped_verses() -> list[tuple[str, str]]:
    """The held-out verse pairs of the package: (King James Version, World English Bible), both in the public domain."""
    with VERSES.open(encoding="utf-8", newline="") as file:
        return [(row["early_modern"], row["modern"]) for row in csv.DictReader(file)]


def _held_out_reviews(folder: Path) -> tuple[list[str], list[str]]:
    """As many positive as negative held-out reviews: the last stretch of each, where its verdict usually stands."""
    last = {each.key: each for each in texts_of("modern", folder).held_out if each.source == "reviews"}
    chosen: list[Passage] = []
    for label in ("positive", "negative"):
        chosen += sorted((each for each in last.values() if each.label == label), key=_order)[: REVIEWS // 2]
    return [each.text for each in chosen], [each.label for each in chosen]


def _some(pairs: Sequence[tuple[Passage, Passage]]) -> list[tuple[Passage, Passage]]:
    return sorted(pairs, key=lambda pair: _order(pair[0]))[:EXAMINED]


def _order(passage: Passage) -> float:
    return share(passage.key + "-examined")
