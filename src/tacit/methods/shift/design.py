"""The sequential design of the shift test: in which order reviews are asked, and which words are still undecided.

Each K has its own random order. The reviews that the model called positive before and those that it called negative are
two strata: a word can only lower the first and only raise the second. Each K is asked about reviews in proportion to
its weight in q, because that decides soonest for the same number of questions. `tacit.statistics.sequential` explains
why asking may stop at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.methods.shift.calls import Calls
from tacit.methods.shift.formulas import repeat_weights
from tacit.methods.shift.settings import ShiftSettings
from tacit.statistics import Stratum, confidence_sequence, decide_by_margin, stratified_mean

__all__ = ["Draw", "Plan", "net_shift_bounds", "net_shift_estimates", "undecided_words"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_FIRST_ROUND = 16
_GROWTH = 1.3


@dataclass(frozen=True, order=True)
class Draw:
    """A review that all undecided words are asked about next, and the place of K among the settings' `repeats`."""

    review: int
    repeat: int


@dataclass(frozen=True)
class Plan:
    """In which order reviews are asked.

    Attributes:
        before: Which reviews the model calls positive before a word is appended.
        class_weights: Weight of each review, such that both classes count equally whatever their sizes.
        repeat_weights: Weight of each K in the net shift; they sum to 1.
        orders: For each K, the order in which the reviews are asked (K's, reviews).
        rounds: For each round, how many reviews of each K have been asked at its end.
    """

    before: Booleans
    class_weights: Floats
    repeat_weights: Floats
    orders: Integers
    rounds: tuple[tuple[int, ...], ...]

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
        orders = [_order(before, np.random.default_rng([settings.seed, k])) for k in settings.repeats]
        return cls(before, before.size / (2 * class_sizes), weights, np.array(orders), _rounds(weights, before.size))

    def next_round(self, calls: Calls, words: Integers) -> Iterator[Draw]:
        """The reviews that come next for words that have all been asked about the same reviews, in order of reviews."""
        asked = calls.asked[words[0]].sum(axis=1) if words.size else np.zeros(len(self.orders), dtype=np.int64)
        goal = next((counts for counts in self.rounds if sum(counts) > asked.sum()), tuple(asked))
        draws = [Draw(int(review), k) for k, order in enumerate(self.orders) for review in order[asked[k] : goal[k]]]
        yield from sorted(draws)

    def strata(self, after: npt.NDArray[np.int8]) -> list[Stratum]:
        """The two strata of each K, for words (words, K's, reviews) that were all asked about the same reviews.

        A draw is 1 where the label changed, times the weight of its class; the target is the net shift.
        """
        largest, strata = self.class_weights.max(), []
        for k, order in enumerate(self.orders):
            drawn = order[: int((after[0, k] >= 0).sum())]
            for was_positive, sign in ((False, 1), (True, -1)):
                size = int((self.before == was_positive).sum())
                members = drawn[self.before[drawn] == was_positive]
                changed = (after[:, k, members] == (not was_positive)) * (self.class_weights[members] / largest)
                if size:
                    weight = sign * self.repeat_weights[k] * size * largest / self.before.size
                    strata.append(Stratum(changed, size, weight))
        return strata


def net_shift_bounds(calls: Calls, plan: Plan, alpha: float) -> tuple[Floats, Floats]:
    """Bounds on the net shift of every word that are all right with probability 1 − alpha (Bonferroni)."""
    low, high = np.empty(len(calls.after)), np.empty(len(calls.after))
    for members in _same_progress(calls):
        low[members], high[members] = _member_bounds(calls, plan, members, alpha)
    return low, high


def net_shift_estimates(calls: Calls, plan: Plan) -> Floats:
    """The net shift of every word as far as it was asked; exact where everything was asked."""
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
    return confidence_sequence(plan.strata(calls.after[members]), alpha / len(calls.after))


def _order(before: Booleans, rng: np.random.Generator) -> Integers:
    """A random order within each stratum, with the strata interleaved so that any prefix has its share of both."""
    place = np.empty(before.size)
    for was_positive in (False, True):
        members = np.flatnonzero(before == was_positive)
        place[rng.permutation(members)] = (np.arange(members.size) + 0.5) / max(1, members.size)
    return np.argsort(place, kind="stable")


def _rounds(weights: Floats, reviews: int) -> tuple[tuple[int, ...], ...]:
    rounds: list[tuple[int, ...]] = []
    budget = float(_FIRST_ROUND)
    while not rounds or sum(rounds[-1]) < reviews * weights.size:
        rounds.append(tuple(int(min(reviews, np.ceil(budget * weight))) for weight in weights))
        budget *= _GROWTH
    return tuple(rounds)


def _same_progress(calls: Calls) -> Sequence[Integers]:
    """The words, grouped by how many reviews of each K they were asked about."""
    _, group = np.unique(calls.asked.sum(axis=2), axis=0, return_inverse=True)
    return [np.flatnonzero(group.ravel() == number) for number in range(int(group.max()) + 1)]
