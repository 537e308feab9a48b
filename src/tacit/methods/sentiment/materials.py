"""The materials of the two sentiment tests: reviews with their labels, and words with their polarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field

from tacit.errors import TacitError
from tacit.methods.base import Family, Settings
from tacit.methods.sentiment.datasets import read_dataset
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import BLANK, split_blank
from tacit.tables import Row, read_csv, refuse, require_unique

__all__ = [
    "NEGATIVE",
    "NEUTRAL",
    "POLARITIES",
    "POSITIVE",
    "Review",
    "SentimentMaterials",
    "SentimentSettings",
    "SentimentShape",
    "prompt_for",
    "read_materials",
    "read_reviews",
]

POSITIVE, NEGATIVE, NEUTRAL = "positive", "negative", "neutral"
POLARITIES = (POSITIVE, NEGATIVE, NEUTRAL)
_LABELS = {"positive": True, "pos": True, "1": True, "negative": False, "neg": False, "0": False}
_REMARKS = ("vader", "association", "shift")
_CLOSING = " .!?…"


class SentimentSettings(Settings):
    """What both tests share."""

    prompt: str = "It was [MASK]."
    """What stands after the review; causal models are asked without what closes it."""
    reviews: str | None = None
    """A CSV of your own (text, label) or the name of a Hugging Face data set, instead of the probe's reviews."""
    reviews_per_class: int | None = Field(None, ge=2)
    """Fewer reviews, evenly from the file; for a data set, how many are drawn (200 if not said)."""
    words: int | None = Field(None, ge=1)
    """Fewer words: the first so many of each polarity."""
    neutral_words: Literal["lexicon", "paper-words"] = "lexicon"
    """Which words are under test: the lexicon's neutral ones, or those that the study prints."""

    def files(self) -> dict[str, Path]:
        """The reviews, unless they are a data set."""
        own = self.reviews is not None and self.reviews.endswith(".csv")
        return {**super().files(), **({"reviews": Path(str(self.reviews))} if own else {})}


class SentimentShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    lexicon: FileName
    reviews: FileName
    paper_words: FileName | None = Field(None, alias="paper-words")


@dataclass(frozen=True)
class Review:
    """A review and what its writer thought."""

    id: str
    text: str
    positive: bool


@dataclass(frozen=True)
class SentimentMaterials:
    """Reviews, and a table of words: word, polarity, and what VADER and the study say where that is known."""

    reviews: tuple[Review, ...]
    words: pl.DataFrame

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        """Which reviews are positive."""
        return np.array([review.positive for review in self.reviews])


def read_materials(probe: Probe, settings: SentimentSettings, polarities: Sequence[str]) -> SentimentMaterials:
    """Read and check reviews and words; words only of these polarities."""
    split_blank(settings.prompt)
    words = _words(probe, settings).filter(pl.col("polarity").is_in(polarities))
    if words.is_empty():
        raise TacitError(f"{probe.path('lexicon')} has no {' or '.join(polarities)} word: add one, or ask for others.")
    return SentimentMaterials(tuple(_reviews(probe, settings)), words)


def read_reviews(path: Path) -> list[Review]:
    """Reviews from a CSV with the columns text and label (positive or negative), and id if there is one."""
    rows = read_csv(path, ("text", "label"), ("id",))
    for row in rows:
        row["id"] = row["id"] or f"line {row['line']}"
        if not row["text"]:
            raise refuse(path, row, "the text is empty.")
        if row["label"].lower() not in _LABELS:
            raise refuse(path, row, f"the label must be positive or negative, not {row['label']!r}.")
    require_unique(path, rows, "id")
    reviews = [Review(row["id"], row["text"], _LABELS[row["label"].lower()]) for row in rows]
    _require_both(reviews, str(path))
    return reviews


def prompt_for(prompt: str, family: Family) -> str:
    """The prompt as this family is asked it: a causal model continues, so the blank must be the last thing."""
    before, after = split_blank(prompt)
    return before + BLANK if family == "causal" and not after.strip(_CLOSING) else prompt


def _reviews(probe: Probe, settings: SentimentSettings) -> list[Review]:
    if settings.reviews is None:
        return _fewer(read_reviews(probe.path("reviews")), settings.reviews_per_class)
    if settings.reviews.endswith(".csv"):
        return _fewer(read_reviews(Path(settings.reviews)), settings.reviews_per_class)
    drawn = read_dataset(settings.reviews, settings.reviews_per_class or 200, settings.seed)
    reviews = [Review(f"{settings.reviews} {number}", text, positive) for number, text, positive in drawn]
    _require_both(reviews, settings.reviews)
    return reviews


def _require_both(reviews: Sequence[Review], source: str) -> None:
    for side, name in ((True, POSITIVE), (False, NEGATIVE)):
        found = sum(review.positive is side for review in reviews)
        if found < 2:
            how_many = f"only one {name} review" if found else f"no {name} review"
            raise TacitError(f"{source} has {how_many}: give two of each class or more.")


def _fewer(reviews: list[Review], each: int | None) -> list[Review]:
    if each is None:
        return reviews
    kept: set[str] = set()
    for side in (True, False):
        ids = [review.id for review in reviews if review.positive is side]
        kept |= {ids[i] for i in np.linspace(0, len(ids) - 1, min(each, len(ids))).round().astype(int)}
    return [review for review in reviews if review.id in kept]


def _words(probe: Probe, settings: SentimentSettings) -> pl.DataFrame:
    words = _word_table(probe.path("lexicon"))
    if settings.neutral_words == "paper-words":
        charged = words.filter(pl.col("polarity") != NEUTRAL)
        printed = _word_table(probe.path("paper-words")).with_columns(polarity=pl.lit(NEUTRAL))
        words = pl.concat([charged.join(printed, on="word", how="anti"), printed])
    if settings.words is None:
        return words
    return words.filter(pl.int_range(pl.len()).over("polarity") < settings.words)


def _word_table(path: Path) -> pl.DataFrame:
    rows = read_csv(path, ("word", "polarity"), ("score", *_REMARKS))
    for row in rows:
        _check_word(path, row)
    require_unique(path, rows, "word")
    table = [{"word": row["word"], "polarity": row["polarity"], **_remarks(row)} for row in rows]
    return pl.DataFrame(table, schema=dict.fromkeys(("word", "polarity", *_REMARKS), pl.String))


def _check_word(path: Path, row: Row) -> None:
    if not row["word"]:
        raise refuse(path, row, "the word is empty.")
    if row["polarity"] not in POLARITIES:
        raise refuse(path, row, f"the polarity must be positive, negative or neutral, not {row['polarity']!r}.")


def _remarks(row: Row) -> dict[str, Any]:
    return {"vader": row["vader"] or row["score"], "association": row["association"], "shift": row["shift"]}
