"""The answers of the shift test as arrays: which reviews the model calls positive, before and after a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import ModelError
from tacit.methods.sentiment.materials import SentimentMaterials
from tacit.methods.shift.settings import ShiftSettings

__all__ = ["NO_WORD", "Calls", "read_calls"]

NO_WORD = ""
"""The key `word` of a question about a review alone."""

# A probability that a float32 softmax rounded to zero.
_SMALLEST = 1e-40


@dataclass(frozen=True)
class Calls:
    """Which reviews the model calls positive.

    Attributes:
        before: Whether a review alone is called positive (reviews,).
        after: 1 (positive), 0 (negative) or -1 (not asked) for each (word, K, review).
        ties: Number of answers in which both label words were equally likely; those reviews are called negative.
    """

    before: npt.NDArray[np.bool_]
    after: npt.NDArray[np.int8]
    ties: int

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Which (word, K, review) were asked."""
        return self.after >= 0

    def only(self, members: npt.NDArray[np.bool_]) -> Calls:
        """The calls of these reviews alone; ties are not told apart by review."""
        return Calls(self.before[members], self.after[:, :, members], 0)


def read_calls(materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Calls:
    """Compare the two label words in every answer, under the rule that the setting `calls` names."""
    _require_label_words(settings.label_words, answers)
    calls = answers.group_by("review", "word", "k", maintain_order=True).agg(
        gap=_log_probability(0) - _log_probability(1)
    )
    border = calls.filter(pl.col("k") == 0)["gap"].median() if settings.calls == "balanced" else 0.0
    calls = calls.with_columns(pl.col("gap") - pl.lit(border, pl.Float64)).with_columns(
        positive=(pl.col("gap") > 0).cast(pl.Int8)
    )
    places = {review.id: i for i, review in enumerate(materials.reviews)}
    calls = calls.with_columns(place=pl.col("review").replace_strict(places, return_dtype=pl.Int64))
    alone = calls.filter(pl.col("k") == 0).sort("place")
    return Calls(
        before=alone["positive"].to_numpy().astype(bool),
        after=_calls_after(materials, settings.repeats, calls.filter(pl.col("k") > 0)),
        ties=calls.filter(pl.col("gap") == 0).height,
    )


def _log_probability(part: int) -> pl.Expr:
    """The log-probability of the first (0) or the second (1) label word."""
    return pl.col("probability").filter(pl.col("part") == part).first().clip(_SMALLEST).log()


def _calls_after(materials: SentimentMaterials, repeats: Sequence[int], calls: pl.DataFrame) -> npt.NDArray[np.int8]:
    words = {word: i for i, word in enumerate(materials.words["word"])}
    columns = {k: i for i, k in enumerate(repeats)}
    after = np.full((len(words), len(columns), len(materials.reviews)), -1, dtype=np.int8)
    if calls.height:
        cells = (
            calls["word"].replace_strict(words, return_dtype=pl.Int64).to_numpy(),
            calls["k"].replace_strict(columns, return_dtype=pl.Int64).to_numpy(),
            calls["place"].to_numpy(),
        )
        after[cells] = calls["positive"].to_numpy()
    return after


def _require_label_words(label_words: tuple[str, str], answers: pl.DataFrame) -> None:
    """Reject label words that the tokenizer splits: one probability cannot be compared with a product of several."""
    scored = answers.filter(pl.col("token").is_in(label_words))
    rejected = scored.filter(pl.col("probability").is_null() | (pl.col("pieces") > 1))["token"].unique().to_list()
    for word in label_words:
        if word in rejected:
            raise ModelError(
                f"The label word {word!r} is not a single token of the model. Choose another pair with "
                "--set label_words=POSITIVE,NEGATIVE, such as good,bad."
            )
