"""Answers of a simulated classifier that regions move as far as we say, with the spread of real answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.methods.prefix.formulas import Floats
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.methods.prefix.questions import BASELINE, NO_REGION

__all__ = ["SimulatedClassifier"]

# In log-odds: how sure the classifier is of a text, how far a sentence about any region moves a text, and how far the
# single region moves it beyond that. The ratios are those of a small English BERT trained on 400 reviews; its regions
# share most of what they do to a text, because their names are alike.
_SURE, _SURE_SPREAD = 1.8, 1.6
_SENTENCE_SPREAD = 0.4
_REGION_SPREAD, _FACTORS = 0.45, np.array([0.48, 0.24])


@dataclass(frozen=True)
class SimulatedClassifier:
    """A classifier of two labels whose log-odds are the sum of the text, the sentence and the region.

    Nothing planted means that the sentence moves texts up and down alike, costs no accuracy, and that no region moves
    texts more than another on average.

    Attributes:
        effect: How far every fifth region lowers the log-odds of the last label, in all texts.
        sentence: How far naming any region raises these log-odds.
        skill: How sure the classifier is of the right label, as a multiple of the usual; 0 labels like a coin.
    """

    effect: float = 0.0
    sentence: float = 0.0
    skill: float = 1.0

    def answers(self, materials: PrefixMaterials, seed: int, labels: tuple[str, str]) -> pl.DataFrame:
        """The answers to every question; the same seed gives the same answers.

        Args:
            materials: The texts and the regions; `labels` must be what the texts call their labels.
            seed: The seed of all deviations.
            labels: The names of the two labels.
        """
        rng = np.random.default_rng(seed)
        texts, regions = len(materials.texts), len(materials.regions)
        side = np.array([1.0 if text.label == labels[1] else -1.0 for text in materials.texts])
        base = self.skill * _SURE * side + rng.normal(0, _SURE_SPREAD, texts)
        # Alone, a text deviates as much as after a sentence; otherwise any sentence would cost accuracy.
        alone = base + rng.normal(0, np.hypot(_SENTENCE_SPREAD, _REGION_SPREAD), texts)
        moved = self.sentence + rng.normal(0, _SENTENCE_SPREAD, texts)
        planted = np.where(np.arange(regions) % 5 == 0, -self.effect, 0.0)
        loadings = rng.normal(size=(regions, _FACTORS.size)) * np.sqrt(_FACTORS)
        shared = loadings @ rng.normal(size=(_FACTORS.size, texts))
        noise = _REGION_SPREAD * (shared + np.sqrt(1 - _FACTORS.sum()) * rng.normal(size=(regions, texts)))
        prefixed = base + moved + planted[:, None] + noise
        keys = [NO_REGION, *(region.key for region in materials.regions)]
        if not materials.baseline:
            return _answer_rows(np.vstack([alone, prefixed]), keys, labels)
        # The word in place of a region moves texts as a region does.
        baseline = base + moved + np.random.default_rng([seed, 1]).normal(0, _REGION_SPREAD, texts)
        return _answer_rows(np.vstack([alone, prefixed, baseline]), [*keys, BASELINE], labels)


def _answer_rows(log_odds: Floats, keys: list[str], labels: tuple[str, str]) -> pl.DataFrame:
    """Log-odds of the second label (keys, texts) as answers: one row per key, text and label."""
    second = 1 / (1 + np.exp(-log_odds))
    count, texts = log_odds.shape
    return pl.DataFrame(
        {
            "region": np.repeat(keys, 2 * texts),
            "text": np.tile(np.repeat(np.arange(texts), 2), count),
            "part": np.tile([0, 1], count * texts),
            "token": np.tile(labels, count * texts),
            "probability": np.stack([1 - second, second], axis=-1).ravel(),
        }
    )
