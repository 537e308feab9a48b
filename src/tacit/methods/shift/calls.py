"""Which reviews a model calls positive before and after words are appended: the shift test's answers as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import TacitError
from tacit.methods.sentiment.materials import SentimentMaterials

__all__ = ["BASE", "Calling", "Calls", "read_calls"]

BASE = ""
"""The word of the question that appends none."""

# A probability that a float32 softmax rounded to zero.
_SMALLEST = 1e-40


class Calling(Protocol):
    """The settings that decide what a review is called."""

    @property
    def label_words(self) -> tuple[str, str]: ...
    @property
    def repeats(self) -> tuple[int, ...]: ...
    @property
    def calls(self) -> Literal["likelier", "balanced"]: ...


@dataclass(frozen=True)
class Calls:
    """`before` (reviews,): is a review called positive? `after` (words, K's, reviews): the same as 1 or 0, -1 unasked.

    `ties` counts the answers in which both label words were equally likely: they are called negative.
    """

    before: npt.NDArray[np.bool_]
    after: npt.NDArray[np.int8]
    ties: int

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Which of (words, K's, reviews) were asked."""
        return self.after >= 0


def read_calls(materials: SentimentMaterials, settings: Calling, answers: pl.DataFrame) -> Calls:
    """Compare the two label words in every answer, evenly or against the median review's."""
    _require_labels(settings.label_words, answers)
    called = answers.group_by("review", "word", "k", maintain_order=True).agg(
        gap=_log_probability_of(0) - _log_probability_of(1)
    )
    even = called.filter(pl.col("k") == 0)["gap"].median() if settings.calls == "balanced" else 0.0
    called = called.with_columns(pl.col("gap") - pl.lit(even, pl.Float64)).with_columns(
        positive=(pl.col("gap") > 0).cast(pl.Int8)
    )
    places = {review.id: i for i, review in enumerate(materials.reviews)}
    called = called.with_columns(place=pl.col("review").replace_strict(places, return_dtype=pl.Int64))
    base = called.filter(pl.col("k") == 0).sort("place")
    return Calls(
        before=base["positive"].to_numpy().astype(bool),
        after=_after(materials, settings.repeats, called.filter(pl.col("k") > 0)),
        ties=called.filter(pl.col("gap") == 0).height,
    )


def _log_probability_of(part: int) -> pl.Expr:
    return pl.col("probability").filter(pl.col("part") == part).first().clip(_SMALLEST).log()


def _after(materials: SentimentMaterials, repeats: Sequence[int], called: pl.DataFrame) -> npt.NDArray[np.int8]:
    words = {word: i for i, word in enumerate(materials.words["word"])}
    columns = {k: i for i, k in enumerate(repeats)}
    after = np.full((len(words), len(columns), len(materials.reviews)), -1, dtype=np.int8)
    if called.height:
        at = (
            called["word"].replace_strict(words, return_dtype=pl.Int64).to_numpy(),
            called["k"].replace_strict(columns, return_dtype=pl.Int64).to_numpy(),
            called["place"].to_numpy(),
        )
        after[at] = called["positive"].to_numpy()
    return after


def _require_labels(label_words: tuple[str, str], answers: pl.DataFrame) -> None:
    """Refuse label words that are no single tokens: one probability cannot be set against a product of several."""
    asked = answers.filter(pl.col("token").is_in(label_words))
    wrong = asked.filter(pl.col("probability").is_null() | (pl.col("pieces") > 1))["token"].unique().to_list()
    for word in label_words:
        if word in wrong:
            raise TacitError(
                f"The label word {word!r} is not in the model's vocabulary: choose another pair with "
                "--set label_words=POSITIVE,NEGATIVE, such as good,bad."
            )
