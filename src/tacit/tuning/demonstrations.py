"""Demonstrations (Gao, Fisch and Chen 2021): labeled reviews, one per class, that are shown with the one to label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.methods.sentiment.materials import Review
from tacit.methods.sentiment.questions import prompt_for
from tacit.models.hf.model import HFModel
from tacit.questions import Choose, split_blank, without_blanks

__all__ = ["Demonstrations", "draw_demonstrations"]

# A demonstration takes at most a quarter of the positions, so that half of them are left for the review itself.
_PARTS = 4


def draw_demonstrations(
    reviews: Sequence[Review], pool: Sequence[Review], seed: Sequence[int]
) -> list[tuple[Review, Review]]:
    """For each review a positive and a negative one of the pool, drawn at random, and never the review itself."""
    rng = np.random.default_rng(seed)
    classes = [[each for each in pool if each.positive is positive] for positive in (True, False)]

    def draw(review: Review) -> tuple[Review, Review]:
        positive, negative = ([each for each in members if each.id != review.id] for members in classes)
        return positive[rng.integers(len(positive))], negative[rng.integers(len(negative))]

    return [draw(review) for review in reviews]


@dataclass(frozen=True)
class Demonstrations:
    """How reviews are shown to one model with the demonstrations beside them.

    A masked model reads "REVIEW It was [MASK]. PRAISE It was great. BLAME It was terrible."; a causal model reads
    the demonstrations first, because it sees nothing behind the blank.
    """

    model: HFModel
    prompt: str
    label_words: tuple[str, str]

    def ask(self, review: Review, shown: Sequence[Review]) -> Choose:
        """The question about a review with these demonstrations."""
        text = prompt_for(self.prompt, self.model.family)
        examples = " ".join(f"{self._shorten(each.text)} {self._filled(each)}" for each in shown)
        if self.model.family == "causal":
            return Choose(text, self.label_words, context=f"{examples} {self._shorten(review.text)}")
        return Choose(f"{text} {examples}", self.label_words, context=review.text)

    def _filled(self, review: Review) -> str:
        left, right = split_blank(self.prompt)
        return f"{left}{self.label_words[0 if review.positive else 1]}{right}"

    def _shorten(self, text: str) -> str:
        """The text up to a quarter of the model's positions, without blanks of its own."""
        text = without_blanks(text)
        if self.model.tokens.limit is None:
            return text
        most = self.model.tokens.limit // _PARTS
        encoded = self.model.tokens.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        ends = [end for _, end in encoded["offset_mapping"]]
        return text if len(ends) <= most else text[: ends[most - 1]]
