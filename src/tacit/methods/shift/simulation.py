"""Answers of a simulated model whose labels move as far as we say, with reviews near the border and far from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtr

from tacit.methods.sentiment.materials import SentimentMaterials
from tacit.methods.sentiment.simulation import LeaningWords, make_materials
from tacit.methods.shift.calls import NO_WORD, Calls, read_calls
from tacit.methods.shift.design import Plan, undecided_words
from tacit.methods.shift.formulas import repeat_weights
from tacit.methods.shift.settings import ShiftSettings

__all__ = ["SimulatedModel", "asked_answers", "make_materials"]

Floats = npt.NDArray[np.float64]

# Measured on both standards with 24 words, in standard deviations of the log-ratio of the label words over reviews: how
# much of a review's ratio K copies leave, what they do to all words alike, and what each word does of its own.
_KEPT_BY_A_COPY = 0.97
_OF_REVIEW, _OF_WORD_AND_REVIEW = 0.45, 0.35


@dataclass(frozen=True)
class SimulatedModel(LeaningWords):
    """A model that labels review r by the sign of g_r = z_r ± sensed / 2, where the sign is that of the review's class.

    After K copies of word w it is kept_K g_r + δ_w √(K/5) + 0.45 u_rK + 0.35 e_rwK, with z, u and e standard normal.
    The effect δ_w of a word is in standard deviations of g.
    """

    sensed: float = 2.0

    def answers(self, materials: SentimentMaterials, settings: ShiftSettings, seed: int) -> pl.DataFrame:
        """The answers to every question of the exact design; the same seed gives the same answers."""
        rng, reviews, repeats = self.review_generator(seed), len(materials.reviews), np.array(settings.repeats)
        before = np.where(materials.positive, 0.5, -0.5) * self.sensed + rng.normal(size=reviews)
        effects = self.effects(materials, seed)
        shape = (effects.size, repeats.size, reviews)
        after = (
            (_KEPT_BY_A_COPY**repeats)[:, None] * before
            + (effects[:, None] * np.sqrt(repeats / 5))[:, :, None]
            + _OF_REVIEW * rng.normal(size=shape[1:])
            + _OF_WORD_AND_REVIEW * rng.normal(size=shape)
        )
        ids, words = np.array([review.id for review in materials.reviews]), materials.words["word"].to_numpy()
        word, repeat, review = (axis.ravel() for axis in np.indices(shape))
        keys = {
            "review": np.concatenate([ids, ids[review]]),
            "word": np.concatenate([np.full(reviews, NO_WORD), words[word]]),
            "k": np.concatenate([np.zeros(reviews, dtype=np.int64), repeats[repeat]]),
        }
        return _choices(pl.DataFrame(keys), np.concatenate([before, after.ravel()]), settings)

    def net_shifts(self, materials: SentimentMaterials, settings: ShiftSettings, seed: int) -> Floats:
        """The expected net shift of each word over all reviews that could be drawn."""
        repeats = np.array(settings.repeats)
        kept = _KEPT_BY_A_COPY**repeats
        spread = np.sqrt(kept**2 + _OF_REVIEW**2 + _OF_WORD_AND_REVIEW**2)
        moved = self.effects(materials, seed)[:, None] * np.sqrt(repeats / 5)
        sides = np.array([-0.5, 0.5]) * self.sensed
        # The calls before cancel out, because both classes lie equally far from the border.
        changes = np.mean([ndtr((kept * side + moved) / spread) for side in sides], axis=0) - 0.5
        shifts: Floats = changes @ repeat_weights(settings.repeats)
        return shifts


def asked_answers(materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> pl.DataFrame:
    """Those of the answers to everything that the design of the settings asks for, round by round."""
    if settings.asks_everything:
        return answers
    everything = read_calls(materials, settings, answers)
    plan = Plan.of(materials.positive, everything.before, settings)
    calls = Calls(everything.before, np.full_like(everything.after, -1), ties=0)
    while draws := list(plan.next_round(calls, words := undecided_words(calls, plan, settings))):
        for draw in draws:
            calls.after[words, draw.repeat, draw.review] = everything.after[words, draw.repeat, draw.review]
    word, repeat, review = np.nonzero(calls.asked)
    ids = np.array([review.id for review in materials.reviews])
    asked = {"review": ids[review], "word": materials.words["word"].to_numpy()[word]}
    keys = pl.DataFrame({**asked, "k": np.array(settings.repeats)[repeat]})
    with_word = answers.join(keys, on=["review", "word", "k"], how="semi", maintain_order="left")
    return pl.concat([answers.filter(pl.col("k") == 0), with_word])


def _choices(keys: pl.DataFrame, gaps: Floats, settings: ShiftSettings) -> pl.DataFrame:
    """The answers in which the label words have these log-ratios."""
    positive = 1 / (1 + np.exp(-gaps))
    parts = [
        keys.with_columns(part=pl.lit(part), token=pl.lit(token), probability=pl.Series(p), pieces=pl.lit(1))
        for part, (token, p) in enumerate(zip(settings.label_words, (positive, 1 - positive), strict=True))
    ]
    return pl.concat(parts)
