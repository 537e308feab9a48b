"""Which words lean: a test of each word against the margin, and what the share of leaning words depends on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.association.settings import AssociationSettings
from tacit.methods.sentiment.blocks import block_contributions, deal_blocks, share_of_words
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.methods.sentiment.measures import UNDECIDED
from tacit.statistics import (
    Interval,
    Moments,
    benjamini_hochberg,
    margin_tests,
    standardized_difference,
)

__all__ = ["NOT_ZERO", "Leanings", "WordTest", "effect_contributions", "growth_table"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Strings = npt.NDArray[np.str_]

NOT_ZERO = "not zero"
_SIZES, _FEWEST_REVIEWS, _DRAWS = 6, 5, 10


@dataclass(frozen=True)
class WordTest:
    """What the tests need.

    Attributes:
        logs: Log-probabilities, one row per review, one column per word.
        positive: Which reviews are positive.
        polarities: The polarity of each word; the words of a polarity are corrected together.
        margin: The size of Cohen's d up to which a difference does not matter.
        false_discoveries: The expected share of false verdicts among those given.
    """

    logs: Floats
    positive: Booleans
    polarities: Strings
    margin: float
    false_discoveries: float

    @classmethod
    def of(cls, logs: Floats, positive: Booleans, polarities: Strings, settings: AssociationSettings) -> WordTest:
        """The tests under these settings."""
        return cls(logs, positive, polarities, settings.margin, settings.false_discoveries)

    def run(self) -> Leanings:
        """The leanings of all words, from all reviews."""
        first, second = Moments.of(self.logs[self.positive]), Moments.of(self.logs[~self.positive])
        effect = standardized_difference(first, second)
        beyond, within = margin_tests(effect, first.n, second.n, self.margin)
        adjusted_beyond, adjusted_within = self._adjust(beyond), self._adjust(within)
        leaning = self._decide(effect, adjusted_beyond, adjusted_within)
        return Leanings(effect, beyond, adjusted_beyond, adjusted_within, leaning)

    def run_many(self, kept: Booleans) -> Strings:
        """What `run` would call the words (parts, words) from each of several parts of the reviews (parts, reviews)."""
        logs = self.logs - self.logs.mean(axis=0)
        first, second = (_moments_of_parts(logs, kept & members) for members in (self.positive, ~self.positive))
        effect = standardized_difference(first, second)
        tests = margin_tests(effect, first.n, second.n, self.margin)
        return self._decide(effect, *map(self._adjust, tests))

    def share_intervals(self, sides: Iterable[tuple[str, ...]], confidence: float) -> list[Interval]:
        """For each tuple of leanings the share of words with one of them, with its interval over words and reviews."""
        blocks = deal_blocks(self.positive)
        leaning = self.run().leaning
        left_out = self.run_many(blocks != np.arange(int(blocks.max()) + 1)[:, None])
        return [
            share_of_words(np.isin(leaning, chosen), np.isin(left_out, chosen), self.positive.size, confidence)
            for chosen in sides
        ]

    def only(self, polarity: str) -> WordTest:
        """The tests of the words of one polarity, whose verdicts do not depend on the other words."""
        members = self.polarities == polarity
        return WordTest(
            self.logs[:, members], self.positive, self.polarities[members], self.margin, self.false_discoveries
        )

    def _decide(self, effect: Floats, beyond: Floats, within: Floats) -> Strings:
        return np.select(
            [beyond < self.false_discoveries, within < self.false_discoveries],
            [np.where(effect > 0, POSITIVE, NEGATIVE), np.full(effect.shape, NEUTRAL)],
            UNDECIDED,
        )

    def _adjust(self, p: Floats) -> Floats:
        adjusted = np.empty_like(p)
        for polarity in np.unique(self.polarities):
            members = self.polarities == polarity
            adjusted[..., members] = benjamini_hochberg(p[..., members])
        return adjusted


@dataclass(frozen=True)
class Leanings:
    """The result of the tests, for each word.

    Attributes:
        effect: Cohen's d of the log-probability, positive minus negative reviews.
        p: The p-value of "the effect is within the margin".
        p_adjusted: The same, corrected among the words of a polarity.
        p_within_adjusted: The corrected p-value of "the effect is beyond the margin".
        leaning: positive, negative, neutral (shown to be within the margin) or undecided.
    """

    effect: Floats
    p: Floats
    p_adjusted: Floats
    p_within_adjusted: Floats
    leaning: Strings


def effect_contributions(test: WordTest, effect: Floats) -> Floats:
    """What each block of reviews contributes to the effect of each word (words, blocks)."""
    positive = test.positive
    weights = np.where(positive, 1 / positive.sum(), -1 / (~positive).sum())
    gap = weights @ test.logs
    # Cohen's d is the gap of the means over a spread; a word that never varies has no effect.
    spread = np.divide(gap, effect, out=np.ones_like(gap), where=(effect != 0) & np.isfinite(effect))
    values = (test.logs - test.logs.mean(axis=0)) / spread
    return block_contributions(values, weights, deal_blocks(positive))


def growth_table(test: WordTest, seed: int) -> pl.DataFrame:
    """The shares of verdicts against the number of reviews, from random subsamples of the run's own reviews.

    Returns:
        One row per number of reviews of a class and leaning: the share of words, the mean over the subsamples. The
        leaning "not zero" is what a corrected p-value alone would find, without a margin.
    """
    rng = np.random.default_rng(seed)
    classes = [np.flatnonzero(test.positive), np.flatnonzero(~test.positive)]
    most = min(members.size for members in classes)
    sizes = np.unique(np.geomspace(min(_FEWEST_REVIEWS, most), most, _SIZES).round().astype(int))
    parts = np.array([_part(classes, size, rng) for size in sizes for _ in range(_DRAWS)])
    leanings, without_margin = (
        tested.run_many(parts).reshape(sizes.size, -1) for tested in (test, replace(test, margin=0.0))
    )
    rows = []
    for size, leaning, nonzero in zip(sizes, leanings, without_margin, strict=True):
        rows += [(size, side, np.mean(leaning == side)) for side in (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED)]
        rows.append((size, NOT_ZERO, np.mean(nonzero != UNDECIDED)))
    return pl.DataFrame(rows, schema={"reviews": pl.Int64, "leaning": pl.String, "share": pl.Float64}, orient="row")


def _part(classes: list[npt.NDArray[np.int64]], size: int, rng: np.random.Generator) -> Booleans:
    """A random part of the reviews with so many of each class."""
    kept = np.zeros(sum(members.size for members in classes), dtype=bool)
    kept[np.concatenate([rng.choice(members, size, replace=False) for members in classes])] = True
    return kept


def _moments_of_parts(values: Floats, kept: Booleans) -> Moments:
    """The moments of each part of the items (parts, columns); the values must lie near zero, which keeps digits."""
    n = kept.sum(axis=1, keepdims=True)
    mean = kept @ values / n
    return Moments(mean, np.maximum(kept @ values**2 / n - mean**2, 0.0), n)
