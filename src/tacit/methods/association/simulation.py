"""Answers of a simulated model whose words lean as far as we say, with the spread and clustering of real answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.sentiment.materials import SentimentMaterials
from tacit.methods.sentiment.simulation import LeaningWords, make_materials

__all__ = ["SimulatedModel", "make_materials"]

Floats = npt.NDArray[np.float64]

# Measured on the standard `modern` (400 reviews, 400 neutral words): the variance that each common factor explains, the
# mean loading of the first one (the mean correlation of two words is 0.08), and how words and reviews spread.
_FACTORS = np.array([0.24, 0.11, 0.09, 0.07, 0.06, 0.05])
_COMMON = 0.58
_LEVEL, _LEVEL_SPREAD, _REVIEW_SPREAD = -9.0, 1.4, 0.35


@dataclass(frozen=True)
class SimulatedModel(LeaningWords):
    """A model that gives the log-probability level_w + spread (z_rw ± δ_w / 2) to word w after review r.

    z has unit variance within a class, and reviews move many words together through six factors. The sign is that of
    the review's class, so δ_w, the effect of a word, is its Cohen's d.
    """

    def answers(self, materials: SentimentMaterials, seed: int) -> pl.DataFrame:
        """The answers to every question of the association test; the same seed gives the same answers."""
        reviews, words = len(materials.reviews), materials.words.height
        of_words, of_reviews = self.word_generator(seed, 1), self.review_generator(seed)
        side = np.where(materials.positive, 0.5, -0.5)[:, None]
        values = _noise(reviews, _loadings(words, of_words), of_reviews) + side * self.effects(materials, seed)
        levels = of_words.normal(_LEVEL, _LEVEL_SPREAD, words)
        return pl.DataFrame(
            {
                "review": np.repeat([review.id for review in materials.reviews], words),
                "token": np.tile(materials.words["word"].to_numpy(), reviews),
                "probability": np.exp(levels + _REVIEW_SPREAD * values).ravel(),
                "pieces": np.ones(reviews * words, dtype=np.int64),
            }
        )


def _loadings(words: int, rng: np.random.Generator) -> Floats:
    """How far each factor moves each word (factors, words)."""
    loadings = rng.normal(size=(_FACTORS.size, words))
    loadings[0] = _COMMON + np.sqrt(1 - _COMMON**2) * loadings[0]
    scaled: Floats = loadings * np.sqrt(_FACTORS)[:, None]
    return scaled


def _noise(reviews: int, loadings: Floats, rng: np.random.Generator) -> Floats:
    """Values of unit variance (reviews, words): what the factors give, and what each word has of its own."""
    own = 1 - _FACTORS.sum()
    values = rng.normal(size=(reviews, len(loadings))) @ loadings
    values += np.sqrt(own) * rng.normal(size=values.shape)
    scale: Floats = np.sqrt((loadings**2).sum(axis=0) + own)
    return values / scale
