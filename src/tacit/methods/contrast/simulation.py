"""Answers of a simulated model that prefers words as far as we say, with the spread and clustering of real answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.methods.contrast.formulas import Floats
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials

__all__ = ["SimulatedModel"]

# Standard deviations of the lead (the log-probability of the word minus that of its rival), measured on the answers of
# `modern` and of a small English BERT to `intensifier`. Words differ most, and mostly alike in both contexts.
_WORD, _WORD_IN_CONTEXT = 1.25, 0.5
_FRAME = 0.45
_SENTENCE, _SENTENCE_IN_CONTEXT = 0.6, 0.65
# The log-rank of the rival, and how far below it a word without a lead is typically found.
_RIVAL, _RIVAL_FRAME, _RIVAL_SENTENCE = 0.8, 0.55, 0.5


@dataclass(frozen=True)
class SimulatedModel:
    """A model whose lead of a word over its rival is the sum of what we plant and of deviations.

    Each word, each frame (adjective) and each sentence has a deviation of its own; part of it differs between the
    contexts. Nothing planted means an expected accuracy of one half everywhere.

    Attributes:
        effect: The mean lead: 1 is an accuracy of 73 %.
        intensity: What one standard deviation of intensity adds to the lead of a word.
        context: What the context adds to the lead.
        category: What belonging to the first category adds to the lead.
        spread: How much words differ, as a multiple of what real models show; 0 makes all words alike.
        words: The seed of the words' deviations where these stay the same while sentences are drawn anew.
    """

    effect: float = 0.0
    intensity: float = 0.0
    context: float = 0.0
    category: float = 0.0
    spread: float = 1.0
    words: int | None = None

    def answers(self, materials: ContrastMaterials, seed: int) -> pl.DataFrame:
        """The answers to every question of the contrast; the same seed gives the same answers."""
        rng = np.random.default_rng([seed, 0])
        of_words = self._leads_of_words(
            materials, np.random.default_rng([seed if self.words is None else self.words, 1])
        )
        words, frames = _codes([item.word for item in materials.items]), _codes([item.bare for item in materials.items])
        shared = rng.normal(0, _FRAME, frames.max() + 1)[frames] + rng.normal(0, _SENTENCE, words.size)
        rival = _RIVAL + rng.normal(0, _RIVAL_FRAME, frames.max() + 1)[frames]
        parts = []
        for context, leads in of_words.items():
            lead = shared + leads[words] + rng.normal(0, _SENTENCE_IN_CONTEXT, words.size)
            rival_log_rank = rival + rng.normal(0, _RIVAL_SENTENCE, words.size)
            parts.append(_answer_rows(materials, context, rival_log_rank - lead, rival_log_rank))
        return pl.concat(parts)

    def _leads_of_words(self, materials: ContrastMaterials, rng: np.random.Generator) -> dict[str, Floats]:
        """The expected lead of each word in each context."""
        count = len(materials.words)
        shared = self._planted(materials) + self.spread * rng.normal(0, _WORD, count)
        planted = {WITH: 0.0, WITHOUT: -self.context}
        return {
            context: shared + self.spread * rng.normal(0, _WORD_IN_CONTEXT, count) + added
            for context, added in planted.items()
        }

    def _planted(self, materials: ContrastMaterials) -> Floats:
        """What is planted in each word."""
        words = list(materials.words.values())
        intensity = np.array([word.intensity or 0.0 for word in words])
        spread = intensity.std() or 1.0
        first = np.array([word.category == materials.categories[0] for word in words])
        planted: Floats = self.effect + self.intensity * (intensity - intensity.mean()) / spread + self.category * first
        return planted


def _codes(labels: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)


def _answer_rows(materials: ContrastMaterials, context: str, own: Floats, rival: Floats) -> pl.DataFrame:
    """The answers in one context from the log-ranks of both words; probabilities keep the order of equal ranks."""
    count, words = len(materials.items), [materials.words[item.word] for item in materials.items]
    log_ranks = np.column_stack([own, rival])
    return pl.DataFrame(
        {
            "item": np.repeat([item.id for item in materials.items], 2),
            "word": np.repeat([word.name for word in words], 2),
            "context": [context] * (2 * count),
            "question": np.repeat(np.arange(count) + (count if context == WITHOUT else 0), 2),
            "part": np.tile([0, 1], count),
            "token": [token for word in words for token in (word.name, word.rivals[0])],
            "probability": 0.1 * np.exp(-log_ranks).ravel().clip(1e-12, 9.0),
            "rank": np.maximum(1, np.exp(log_ranks).round()).ravel().astype(np.int64),
            "pieces": np.ones(2 * count, dtype=np.int64),
            "made": ["simulated"] * (2 * count),
        }
    )
