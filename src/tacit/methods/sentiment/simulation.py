"""What the simulated models of both sentiment methods share: materials of any size, and words that lean as we say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, Review, SentimentMaterials

__all__ = ["LeaningWords", "make_materials"]

Floats = npt.NDArray[np.float64]


def make_materials(reviews: int, neutral: int, charged: int = 0) -> SentimentMaterials:
    """Materials with so many reviews of each class, neutral words, and charged words of each polarity."""
    counts = {POSITIVE: charged, NEGATIVE: charged, NEUTRAL: neutral}
    names = [(f"{polarity}-{i}", polarity) for polarity, count in counts.items() for i in range(count)]
    words = pl.DataFrame(names, schema={"word": pl.String, "polarity": pl.String}, orient="row")
    labels = [(label, i) for label in (POSITIVE, NEGATIVE) for i in range(reviews)]
    return SentimentMaterials(tuple(Review(f"{label}-{i}", "", label == POSITIVE) for label, i in labels), words)


@dataclass(frozen=True)
class LeaningWords:
    """How far the words of a simulated model lean.

    Attributes:
        effect: Size of the effect of the neutral words that lean.
        share: The expected share of neutral words that lean.
        toward: How many of those lean to the positive side; by default half.
        spread: Standard deviation of the effects around that, over all neutral words.
        sensed: How well the model senses sentiment at all: the positive control.
        words: The seed of the words, where all data sets share them; None draws new words for every data set.
    """

    effect: float = 0.0
    share: float = 1.0
    toward: float = 0.5
    spread: float = 0.0
    sensed: float = 1.0
    words: int | None = None

    def effects(self, materials: SentimentMaterials, seed: int) -> Floats:
        """The true effect of each word: `sensed` for positive words, its negative for negative ones."""
        rng = self.word_generator(seed, 0)
        words, polarities = materials.words.height, materials.words["polarity"].to_numpy()
        leans, side = rng.random(words) < self.share, np.where(rng.random(words) < self.toward, 1, -1)
        neutral = leans * side * self.effect + rng.normal(0, self.spread, words)
        return np.select([polarities == POSITIVE, polarities == NEGATIVE], [self.sensed, -self.sensed], neutral)

    def word_generator(self, seed: int, stream: int) -> np.random.Generator:
        """Random numbers about words; each stream has its own."""
        return np.random.default_rng([stream, seed if self.words is None else self.words])

    def review_generator(self, seed: int) -> np.random.Generator:
        """Random numbers about reviews, which every data set draws anew."""
        return np.random.default_rng([100, seed])
