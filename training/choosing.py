"""Choose the reviews of the data set `reviews`: none that a standard was trained on, balanced by class and source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tacit.data.fetching import CHOSEN
from tacit.data.labeled import LabeledText, digest, fold, read_labeled
from tacit.probes import load_probe
from tacit.tables import read_csv
from training.cleaning import sentences
from training.passages import Passage
from training.reading import read
from training.texts import VARIETIES, split, taken

__all__ = ["PER_CLASS", "balance", "choose_reviews", "is_known", "known_sentences", "share_out"]

PER_CLASS = 2_000
# More words would not fit into the 512 tokens of a model such as BERT, and the middle of the review would be cut.
MOST_WORDS, FEWEST_WORDS = 300, 3
# Shorter sentences ("A must see!") occur in many reviews.
TELLING_WORDS = 6
REVIEW_SOURCES = ("vader", "reviews")


def choose_reviews(folder: Path) -> dict[tuple[str, str], int]:
    """Write the digests of the chosen reviews; return how many there are by source and label."""
    seen = known_sentences(passage.text for passage in _trained_on(folder))
    shipped = load_probe("sentiment-association").file("reviews.csv")
    seen |= known_sentences(row["text"] for row in read_csv(shipped, ("text",)))
    unseen = [review for review in read_labeled(folder) if _has_good_length(review) and not is_known(review.text, seen)]
    chosen = balance(unseen, PER_CLASS)
    CHOSEN.write_text("\n".join(sorted(digest(review.text) for review in chosen)) + "\n", encoding="utf-8")
    return _count(chosen)


def known_sentences(texts: Iterable[str]) -> set[str]:
    """Whole texts and their telling sentences, folded."""
    found = set()
    for text in texts:
        found |= {fold(text), *_telling_sentences(text)}
    return found


def is_known(text: str, known: set[str]) -> bool:
    """Whether the text, or a telling sentence of it, is among the known ones."""
    return fold(text) in known or not known.isdisjoint(_telling_sentences(text))


def balance(reviews: Sequence[LabeledText], per_class: int) -> list[LabeledText]:
    """So many reviews per class, as equally from the sources as they allow, and of each source equally many per class.

    Which reviews of a source are taken depends on their texts alone.
    """
    groups: dict[tuple[str, bool], list[LabeledText]] = {}
    for review in sorted(reviews, key=lambda review: digest(review.text)):
        groups.setdefault((review.source, review.positive), []).append(review)
    sources = sorted({source for source, _ in groups})
    sizes = {name: min(len(groups.get((name, side), [])) for side in (True, False)) for name in sources}
    counts = share_out(per_class, sizes)
    return [review for (source, _), members in groups.items() for review in members[: counts[source]]]


def share_out(total: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Divide a total as equally as sizes allow: who has too little gives all, and the others share the rest."""
    shares: dict[str, int] = {}
    for number, name in enumerate(sorted(sizes, key=lambda name: (sizes[name], name))):
        shares[name] = min(sizes[name], (total - sum(shares.values())) // (len(sizes) - number))
    return shares


def _trained_on(folder: Path) -> Iterable[Passage]:
    passages = (passage for name in REVIEW_SOURCES for passage in taken(read(name, folder), VARIETIES["modern"][name]))
    return split(passages).training


def _telling_sentences(text: str) -> set[str]:
    return {fold(sentence) for sentence in sentences(text) if len(sentence.split()) >= TELLING_WORDS}


def _has_good_length(review: LabeledText) -> bool:
    return FEWEST_WORDS <= len(review.text.split()) <= MOST_WORDS


def _count(reviews: Iterable[LabeledText]) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for review in reviews:
        key = (review.source, review.label)
        counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items()))
