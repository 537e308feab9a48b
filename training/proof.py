"""What the shipped weights do, measured on texts that they never saw: the figures of the model cards."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tacit.statistics import Interval
from training.examination import (
    marked_share,
    marked_shares,
    pseudo_perplexity,
    review_accuracy,
    review_leanings,
)
from training.passages import Passage, share
from training.texts import Texts, is_held_out

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = [
    "NEW_VERSES",
    "OLD_VERSES",
    "RATED",
    "SENTENCES",
    "VERSES",
    "HeldOut",
    "Proof",
    "held_out_texts",
    "held_out_verses",
    "prove",
    "shipped_reviews",
    "shipped_verses",
    "write_samples",
]

VERSES = Path(__file__).with_name("held-out-verses.csv")
RATED = Path(__file__).with_name("held-out-reviews.csv")
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
RATED_KINDS = ("movieReviewSnippets", "amazonReviewSnippets")
EXAMINED = 100
# Longer texts may not fit into 128 tokens, and cutting them would make two models' perplexities hard to compare.
LONGEST = 60
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
        others = [
            passage for passage in varieties[name].held_out if not passage.key.startswith("verse-") and _fits(passage)
        ]
        parts[title] = [passage.text for passage in sorted(others, key=_order)[:EXAMINED]]
    reviews = _reviews(varieties["modern"])
    return HeldOut(parts, [passage.text for passage in reviews], [passage.label for passage in reviews])


def held_out_verses(pairs: Sequence[tuple[Passage, Passage]]) -> dict[str, list[str]]:
    """The same held-out verses in both varieties."""
    fitting = [pair for pair in pairs if is_held_out(pair[0].key) and all(_fits(passage) for passage in pair)]
    kept = sorted(fitting, key=lambda pair: _order(pair[0]))[:EXAMINED]
    return {OLD_VERSES: [old.text for old, _ in kept], NEW_VERSES: [new.text for _, new in kept]}


def write_samples(verses: dict[str, list[str]], modern: Texts) -> None:
    """Keep held-out verse pairs and rated sentences in the package, for tests that run without the corpora."""
    _write(VERSES, ("early_modern", "modern"), list(zip(verses[OLD_VERSES], verses[NEW_VERSES], strict=True)))
    rated = [passage for passage in modern.held_out if passage.label and passage.key.startswith(RATED_KINDS)]
    _write(RATED, ("text", "label"), [(passage.text, passage.label) for passage in _balanced(rated)])


def shipped_verses() -> list[tuple[str, str]]:
    """The held-out verse pairs of the package: (King James Version, World English Bible), both in the public domain."""
    with VERSES.open(encoding="utf-8", newline="") as file:
        return [(row["early_modern"], row["modern"]) for row in csv.DictReader(file)]


def shipped_reviews() -> list[tuple[str, str]]:
    """Sentences of movie and product reviews that twenty people clearly called good or bad: (text, label)."""
    with RATED.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["label"]) for row in csv.DictReader(file)]


def _reviews(texts: Texts) -> list[Passage]:
    """Held-out reviews: the last stretch of each, where its verdict usually stands."""
    last = {passage.key: passage for passage in texts.held_out if passage.source == "reviews"}
    return _balanced(list(last.values()), REVIEWS // 2)


def _balanced(passages: Sequence[Passage], most: int | None = None) -> list[Passage]:
    """As many positive as negative ones."""
    sides = [[passage for passage in passages if passage.label == label] for label in ("positive", "negative")]
    count = min(len(side) for side in sides)
    count = count if most is None else min(count, most)
    return [passage for side in sides for passage in sorted(side, key=_order)[:count]]


def _write(path: Path, header: tuple[str, str], rows: Sequence[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def _fits(passage: Passage) -> bool:
    return len(passage.text.split()) <= LONGEST


def _order(passage: Passage) -> float:
    return share(passage.key + "-examined")
