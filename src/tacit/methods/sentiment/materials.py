"""Reviews with their labels and words with their polarity: the materials of both sentiment methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field

from tacit.data import FETCHED, require_data
from tacit.errors import MaterialsError
from tacit.methods.sentiment.datasets import read_datasets
from tacit.methods.sentiment.settings import SentimentSettings
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import split_blank
from tacit.tables import Row, csv_line, read_table, refuse, require_unique

__all__ = [
    "NEGATIVE",
    "NEUTRAL",
    "POLARITIES",
    "POSITIVE",
    "Review",
    "SentimentMaterials",
    "SentimentShape",
    "read_reviews",
    "read_sentiment_materials",
]

POSITIVE, NEGATIVE, NEUTRAL = "positive", "negative", "neutral"
POLARITIES = (POSITIVE, NEGATIVE, NEUTRAL)
_LABELS = {"positive": True, "pos": True, "1": True, "negative": False, "neg": False, "0": False}
_PUBLISHED = ("vader", "association", "shift")
"""Columns of a word list that say how VADER and the study rate a word."""
_SAMPLED_PER_CLASS = 200


class SentimentShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    lexicon: FileName
    reviews: FileName
    paper_words: FileName | None = Field(None, alias="paper-words")


@dataclass(frozen=True)
class Review:
    """A review with its label (positive or negative) and, where it is known, its source, such as imdb."""

    id: str
    text: str
    positive: bool
    source: str = ""


@dataclass(frozen=True)
class SentimentMaterials:
    """What both methods ask about.

    Attributes:
        reviews: The reviews.
        words: One row per word: word, polarity, and how VADER and the study rate it (null or empty if unknown).
    """

    reviews: tuple[Review, ...]
    words: pl.DataFrame

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        """Which reviews are positive."""
        return np.array([review.positive for review in self.reviews])

    def only(self, members: npt.NDArray[np.bool_]) -> SentimentMaterials:
        """The same words with these reviews alone."""
        kept = tuple(review for review, is_member in zip(self.reviews, members, strict=True) if is_member)
        return SentimentMaterials(kept, self.words)


def read_sentiment_materials(
    probe: Probe, settings: SentimentSettings, polarities: Sequence[str]
) -> SentimentMaterials:
    """Read and check the reviews, and the words of these polarities."""
    split_blank(settings.prompt)
    shape = probe.parse(SentimentShape)
    words = _read_words(probe, shape, settings).filter(pl.col("polarity").is_in(polarities))
    if words.is_empty():
        raise MaterialsError(
            f"{probe.file(shape.lexicon)} has no {' or '.join(polarities)} word. Add one, or choose other polarities."
        )
    own = probe.file(shape.reviews)
    return SentimentMaterials(tuple(_choose_reviews(own, settings)), words)


def read_reviews(path: Path) -> list[Review]:
    """Read reviews from a table with the columns text, label (positive or negative) and, optionally, id and source."""
    rows = read_table(path, ("text", "label"), ("id", "source"))
    for number, row in enumerate(rows):
        row["id"] = row["id"] or f"line {csv_line(path, row, number)}"
        if not row["text"]:
            raise refuse(path, row, "the text is empty.")
        if row["label"].lower() not in _LABELS:
            raise refuse(path, row, f"the label must be positive or negative, not {row['label']!r}.")
    require_unique(path, rows, "id")
    reviews = [Review(row["id"], row["text"], _LABELS[row["label"].lower()], row["source"]) for row in rows]
    _require_both_classes(reviews, str(path))
    return reviews


def _choose_reviews(own: Path, settings: SentimentSettings) -> list[Review]:
    """The reviews of the probe (`own`), of a file, or of data sets, as the settings say."""
    if settings.reviews is None:
        return _thin_out(read_reviews(own), settings.reviews_per_class)
    path = settings.reviews_file
    if path is not None:
        fetched = settings.reviews == FETCHED
        return _thin_out(read_reviews(require_data("reviews") if fetched else path), settings.reviews_per_class)
    names = [name.strip() for name in settings.reviews.split(",")]
    sample = read_datasets(names, settings.reviews_per_class or _SAMPLED_PER_CLASS, settings.seed)
    reviews = [Review(f"{row.source} {row.number}", row.text, row.positive, row.source) for row in sample]
    _require_both_classes(reviews, settings.reviews)
    return reviews


def _require_both_classes(reviews: Sequence[Review], source: str) -> None:
    for positive, name in ((True, POSITIVE), (False, NEGATIVE)):
        count = sum(review.positive is positive for review in reviews)
        if count < 2:
            how_many = f"only one {name} review" if count else f"no {name} review"
            raise MaterialsError(f"{source} has {how_many}. Give at least two of each class.")


def _thin_out(reviews: list[Review], per_class: int | None) -> list[Review]:
    """At most this many reviews of each class, spread evenly over the list."""
    if per_class is None:
        return reviews
    kept: set[str] = set()
    for positive in (True, False):
        ids = [review.id for review in reviews if review.positive is positive]
        kept |= {ids[i] for i in np.linspace(0, len(ids) - 1, min(per_class, len(ids))).round().astype(int)}
    return [review for review in reviews if review.id in kept]


def _read_words(probe: Probe, shape: SentimentShape, settings: SentimentSettings) -> pl.DataFrame:
    words = _word_table(probe.file(shape.lexicon))
    if settings.neutral_words == "paper-words":
        if shape.paper_words is None:
            raise probe.refuse(("materials",), "no 'paper-words' are named. Add the line `paper-words: FILE`.")
        charged = words.filter(pl.col("polarity") != NEUTRAL)
        printed = _word_table(probe.file(shape.paper_words)).with_columns(polarity=pl.lit(NEUTRAL))
        words = pl.concat([charged.join(printed, on="word", how="anti"), printed])
    if settings.words is None:
        return words
    return words.filter(pl.int_range(pl.len()).over("polarity") < settings.words)


def _word_table(path: Path) -> pl.DataFrame:
    rows = read_table(path, ("word", "polarity"), ("score", *_PUBLISHED))
    for row in rows:
        _check_word(path, row)
    require_unique(path, rows, "word")
    table = [{"word": row["word"], "polarity": row["polarity"], **_published_ratings(row)} for row in rows]
    return pl.DataFrame(table, schema=dict.fromkeys(("word", "polarity", *_PUBLISHED), pl.String))


def _check_word(path: Path, row: Row) -> None:
    if not row["word"]:
        raise refuse(path, row, "the word is empty.")
    if row["polarity"] not in POLARITIES:
        raise refuse(path, row, f"the polarity must be positive, negative or neutral, not {row['polarity']!r}.")


def _published_ratings(row: Row) -> dict[str, str]:
    return {"vader": row["vader"] or row["score"], "association": row["association"], "shift": row["shift"]}
