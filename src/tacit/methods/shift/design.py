"""The sequential design of the shift test: in which order reviews are asked, and which words are still undecided.

Reviews are a sample of those that could be asked, and a verdict is about all of these. Each review is asked with one K,
dealt at random in proportion to its weight in q: so no two draws share a review, and none depends on another. The
reviews that the model called positive before and those that it called negative are two strata: a word can only lower
the first and only raise the second. `tacit.statistics.sequential` explains why asking may stop at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.methods.shift.calls import Calls
from tacit.methods.shift.formulas import repeat_weights
from tacit.methods.shift.settings import ShiftSettings
from tacit.statistics import (
    Stratum,
    confidence_sequence,
    decide_by_margin,
    stratified_interval,
    stratified_mean,
)

__all__ = ["Draw", "Plan", "net_shift_bounds", "net_shift_estimates", "undecided_words"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_FIRST_ROUND = 16
_GROWTH = 1.3


@dataclass(frozen=True, order=True)
class Draw:
    """A review that all undecided words are asked about next, and the place of its K among the settings' `repeats`."""

    review: int
    repeat: int


@dataclass(frozen=True)
class Plan:
    """In which order reviews are asked, and with which K.

    Attributes:
        before: Which reviews the model calls positive before a word is appended.
        class_weights: Weight of each review, such that both classes count equally whatever their sizes.
        repeat_weights: Weight of each K in the net shift; they sum to 1.
        order: The order in which the reviews are asked.
        dealt: The place of the K with which each review is asked.
    """

    before: Booleans
    class_weights: Floats
    repeat_weights: Floats
    order: Integers
    dealt: Integers

    @classmethod
    def of(cls, positive: Booleans, before: Booleans, settings: ShiftSettings) -> Plan:
        """The plan for these reviews; the same seed gives the same plan.

        Args:
            positive: Which reviews are labeled positive in the materials.
            before: Which reviews the model calls positive.
            settings: The settings; `seed` and `repeats` matter.
        """
        class_sizes = np.where(positive, positive.sum(), (~positive).sum())
        weights = repeat_weights(settings.repeats)
        rng, place = np.random.default_rng(settings.seed), np.empty(before.size)
        dealt = np.empty(before.size, dtype=np.int64)
        for was_positive in (False, True):
            members = rng.permutation(np.flatnonzero(before == was_positive))
            # Interleaved, so that any first part of the order has its share of both strata.
            place[members] = (np.arange(members.size) + 0.5) / max(1, members.size)
            dealt[members] = _deal(weights, members.size)
        return cls(before, before.size / (2 * class_sizes), weights, np.argsort(place, kind="stable"), dealt)

    def next_round(self, calls: Calls, words: Integers) -> Iterator[Draw]:
        """The reviews that come next for words that have all been asked about the same reviews, in order of reviews."""
        if not words.size:
            return
        asked, goal = int(calls.asked[words[0]].sum()), float(_FIRST_ROUND)
        while int(goal) <= asked:
            goal *= _GROWTH
        yield from sorted(Draw(int(review), int(self.dealt[review])) for review in self.order[asked : int(goal)])

    def strata(self, after: npt.NDArray[np.int8]) -> list[Stratum]:
        """The strata of words (words, K's, reviews) that were all asked about the same reviews; they add to net shift.

        Each K has two. A draw is 1 where the label changed, times the weight of its class.
        """
        largest, strata = self.class_weights.max(), []
        for k, repeat_weight in enumerate(self.repeat_weights):
            for was_positive, sign in ((False, 1), (True, -1)):
                called = self.before == was_positive
                members = called & (after[0, k] >= 0)
                changed = (after[:, k, members] != was_positive) * (self.class_weights[members] / largest)
                weight = sign * repeat_weight * called.mean() * largest
                if weight:
                    strata.append(Stratum(changed.sum(axis=1), int(members.sum()), float(weight)))
        return strata


def net_shift_bounds(calls: Calls, plan: Plan, alpha: float) -> tuple[Floats, Floats]:
    """Bounds on the net shift of every word that are all right with probability 1 − alpha (Bonferroni)."""
    low, high = np.empty(len(calls.after)), np.empty(len(calls.after))
    for members in _same_progress(calls):
        low[members], high[members] = _member_bounds(calls, plan, members, alpha)
    return low, high


def net_shift_estimates(calls: Calls, plan: Plan) -> Floats:
    """The net shift of every word as far as it was asked."""
    estimates = np.empty(len(calls.after))
    for members in _same_progress(calls):
        estimates[members] = stratified_mean(plan.strata(calls.after[members]))
    return estimates


def undecided_words(calls: Calls, plan: Plan, settings: ShiftSettings) -> Integers:
    """The words that are not decided yet, among those asked about most; the others were decided in earlier rounds."""
    counts = calls.asked.sum(axis=(1, 2))
    latest = np.flatnonzero(counts == counts.max())
    low, high = _member_bounds(calls, plan, latest, 1 - settings.confidence)
    undecided: Integers = latest[decide_by_margin(low, high, settings.margin) == "undecided"]
    return undecided


def _member_bounds(calls: Calls, plan: Plan, members: Integers, alpha: float) -> tuple[Floats, Floats]:
    """Half of the error is for stopping at any time, half for a last look at words asked about all reviews."""
    strata, error = plan.strata(calls.after[members]), alpha / 2 / len(calls.after)
    low, high = confidence_sequence(strata, error)
    if calls.asked[members[0]].any(axis=0).all():
        last_low, last_high = stratified_interval(strata, error)
        return np.maximum(low, last_low), np.minimum(high, last_high)
    return low, high


def _deal(weights: Floats, reviews: int) -> Integers:
    """The place of K for each of so many reviews in turn: always the one that is furthest behind its share."""
    dealt, counts = np.empty(reviews, dtype=np.int64), np.zeros(weights.size)
    for i in range(reviews):
        dealt[i] = np.argmax(weights * (i + 1) - counts)
        counts[dealt[i]] += 1
    return dealt


def _same_progress(calls: Calls) -> Sequence[Integers]:
    """The words, grouped by how many reviews they were asked about."""
    counts = calls.asked.sum(axis=(1, 2))
    return [np.flatnonzero(counts == count) for count in np.unique(counts)]
