"""Answers of a simulated model that turns labels as often as we say, in each wording."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.sentiment import simulation
from tacit.methods.wording.materials import WordingMaterials
from tacit.methods.wording.questions import NO_WORD

__all__ = ["SimulatedModel", "make_materials"]


def make_materials(reviews: int, words: int, prompts: int, labels: int) -> WordingMaterials:
    """Materials with so many reviews of each class, neutral words, prompts and pairs of label words."""
    return WordingMaterials(
        simulation.make_materials(reviews, words),
        {f"prompt {i} [MASK]": "simulated" for i in range(prompts)},
        {(f"good{i}", f"bad{i}"): "simulated" for i in range(labels)},
    )


@dataclass(frozen=True)
class SimulatedModel:
    """A model that labels each review rightly with probability `accuracy`, and then lets words turn labels.

    Attributes:
        shifts: The net shift of each word in each wording (prompts, labels, words): the probability with which a
            negative label turns positive or, below zero, a positive one negative, times the share of such labels.
        accuracy: The probability of a right label before a word.
        noise: The probability with which a label of either kind turns besides.
    """

    shifts: npt.NDArray[np.float64]
    accuracy: float = 0.9
    noise: float = 0.05

    def answers(self, materials: WordingMaterials, seed: int) -> pl.DataFrame:
        """The answers to every question; the same seed gives the same answers."""
        rng = np.random.default_rng([200, seed])
        prompts, labels, words = self.shifts.shape
        reviews = len(materials.reviews)
        right = rng.random((prompts, labels, 1, reviews)) < self.accuracy
        before = materials.positive == right
        # Half of the labels are of either kind, so turning twice the net shift of one kind gives it.
        turning = 2 * np.abs(self.shifts)[..., None]
        turned = (before != (self.shifts > 0)[..., None]) & (rng.random((prompts, labels, words, reviews)) < turning)
        noisy = rng.random(turned.shape) < self.noise
        called = np.concatenate([before, before ^ turned ^ noisy], axis=2)
        return _choices(materials, called)


def _choices(materials: WordingMaterials, called: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """The answers in which the likelier word of each pair is the one that these labels name."""
    prompts, names = np.array([*materials.prompts]), np.array([NO_WORD, *materials.words["word"]])
    ids, frames = np.array([review.id for review in materials.reviews]), []
    places = [axis.ravel() for axis in np.indices((called.shape[0], *called.shape[2:]))]
    keys = {"prompt": prompts[places[0]], "review": ids[places[2]], "word": names[places[1]]}
    for place, pair in enumerate(materials.labels):
        positive = called[:, place].ravel()
        for token, likelier in zip(pair, (positive, ~positive), strict=True):
            probability = np.where(likelier, 0.2, 0.1)
            frames.append(pl.DataFrame({**keys, "token": [token] * positive.size, "probability": probability}))
    return pl.concat(frames).with_columns(pieces=pl.lit(1, pl.Int64))
