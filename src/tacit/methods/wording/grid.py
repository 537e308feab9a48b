"""The answers as arrays: which reviews the model calls positive in each wording, before and after a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import ModelError
from tacit.methods.sentiment.blocks import block_contributions, deal_blocks
from tacit.methods.wording.materials import WordingMaterials, pair_name
from tacit.methods.wording.questions import NO_WORD
from tacit.methods.wording.settings import WordingSettings

__all__ = ["Grid", "read_grid"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

# A probability that a float32 softmax rounded to zero.
_SMALLEST = 1e-40


@dataclass(frozen=True)
class Grid:
    """What a model answers in each wording.

    Attributes:
        prompts: The prompts, the study's own first.
        labels: The pairs of label words that are single tokens of the model.
        left_out: The label words that are not, with their pairs.
        before: Whether a review alone is called positive (prompts, labels, reviews).
        after: The same after a word (prompts, labels, words, reviews).
        logs: The log-probability of each word at the blank after a review (prompts, reviews, words); NaN where the
            model cannot represent a word.
    """

    prompts: list[str]
    labels: list[tuple[str, str]]
    left_out: list[str]
    before: Booleans
    after: Booleans
    logs: Floats

    @property
    def changes(self) -> npt.NDArray[np.int8]:
        """1 where a label became positive, -1 where it became negative (prompts, labels, words, reviews)."""
        changed: npt.NDArray[np.int8] = self.after.astype(np.int8) - self.before[:, :, None].astype(np.int8)
        return changed

    def contributions(self, positive: Booleans) -> Floats:
        """What each block of reviews contributes to each net shift (words, prompts, labels, blocks)."""
        weights = np.where(positive, 1 / positive.sum(), 1 / (~positive).sum()) / 2
        blocks = deal_blocks(positive)
        cells = [[block_contributions(cell.T, weights, blocks) for cell in row] for row in self.changes]
        return np.moveaxis(np.array(cells), 2, 0)


def read_grid(materials: WordingMaterials, settings: WordingSettings, answers: pl.DataFrame) -> Grid:
    """Compare the label words of every pair in every answer, under the rule that the setting `calls` names."""
    labels, left_out = _single_tokens(materials, answers)
    names, words = list(materials.label_words), materials.words["word"].to_list()
    scores = _log_probabilities(materials, answers, names, [NO_WORD, *words])
    pairs = np.array([[names.index(word) for word in pair] for pair in labels])
    gaps = scores[..., pairs[:, 0]] - scores[..., pairs[:, 1]]
    gaps = np.moveaxis(gaps, -1, 1)  # prompts, labels, words, reviews
    if settings.calls == "balanced":
        gaps = gaps - np.median(gaps[:, :, :1], axis=3, keepdims=True)
    called = gaps > 0
    alone = answers.filter(pl.col("word") == NO_WORD)
    at_blank = _log_probabilities(materials, alone, words, [NO_WORD])[:, 0]
    return Grid([*materials.prompts], labels, left_out, called[:, :, 0], called[:, :, 1:], at_blank)


def _single_tokens(materials: WordingMaterials, answers: pl.DataFrame) -> tuple[list[tuple[str, str]], list[str]]:
    """The pairs of which both words are one token each, and the names of the others."""
    split = (pl.col("pieces") > 1) | pl.col("probability").is_null()
    rejected = set(answers.filter(pl.col("token").is_in(materials.label_words) & split)["token"])
    kept = [pair for pair in materials.labels if not rejected & {*pair}]
    if not kept:
        raise ModelError(
            "No pair of label words is made of single tokens of the model. Give other pairs with --set labels=FILE.csv."
        )
    return kept, [pair_name(pair) for pair in materials.labels if rejected & {*pair}]


def _log_probabilities(
    materials: WordingMaterials, answers: pl.DataFrame, tokens: list[str], words: list[str]
) -> Floats:
    """The log-probability of each token in each answer (prompts, words, reviews, tokens); NaN where there is none."""
    axes = {
        "prompt": [*materials.prompts],
        "word": words,
        "review": [review.id for review in materials.reviews],
        "token": tokens,
    }
    scored = answers.filter(pl.col("token").is_in(tokens))
    cells = tuple(
        scored[name].replace_strict({value: i for i, value in enumerate(values)}, return_dtype=pl.Int64).to_numpy()
        for name, values in axes.items()
    )
    scores = np.full([len(values) for values in axes.values()], np.nan)
    scores[cells] = scored["probability"].clip(_SMALLEST).log().to_numpy()
    return scores
