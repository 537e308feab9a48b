"""The sequential design of the shift test: in which order reviews are asked, and which words are still undecided.

Each K has a random order of its own, and what the model called a review before splits the reviews into two strata: a
word can only raise the one and only lower the other. Of every K as many reviews are asked as it counts in q, because
that decides soonest for the same number of questions. `formulas.sequential` says why one may stop at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.methods.shift.calls import Calls
from tacit.methods.shift.formulas import repeat_weights
from tacit.statistics.sequential import Stratum, bounds, decide, estimate

__all__ = ["Design", "Plan", "bounds_of", "estimates_of", "still_open"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_FIRST_ROUND = 16
_GROWTH = 1.3


class Design(Protocol):
    """The settings that the design depends on."""

    @property
    def seed(self) -> int: ...
    @property
    def confidence(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def repeats(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class Plan:
    """`orders` (K's, reviews) says in which order each K asks the reviews, `rounds` how many of them by which round.

    `weights` make both classes of reviews count alike, whatever their sizes.
    """

    before: Booleans
    weights: Floats
    importance: Floats
    orders: Integers
    rounds: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, positive: Booleans, before: Booleans, settings: Design) -> Plan:
        """The plan that these settings give; the same seed gives the same."""
        sizes = np.where(positive, positive.sum(), (~positive).sum())
        importance = repeat_weights(settings.repeats)
        orders = [_order(before, np.random.default_rng([settings.seed, k])) for k in settings.repeats]
        return cls(before, before.size / (2 * sizes), importance, np.array(orders), _rounds(importance, before.size))

    def next_round(self, calls: Calls, words: Integers) -> Iterator[tuple[int, Integers, int]]:
        """(review, words, place of K) that come next for words that have come equally far, review by review."""
        asked = calls.asked[words[0]].sum(axis=1) if words.size else np.zeros(len(self.importance), dtype=np.int64)
        coming = next((each for each in self.rounds if sum(each) > asked.sum()), tuple(asked))
        new = [(int(review), k) for k, order in enumerate(self.orders) for review in order[asked[k] : coming[k]]]
        yield from ((review, words, k) for review, k in sorted(new))

    def strata(self, after: npt.NDArray[np.int8]) -> list[Stratum]:
        """Each K's two strata for words (words, K's, reviews) that were asked about the same reviews.

        A draw is 1 where the label turned, times its class's weight; the target is the net shift.
        """
        most, found = self.weights.max(), []
        for k, order in enumerate(self.orders):
            drawn = order[: int((after[0, k] >= 0).sum())]
            for was, sign in ((False, 1), (True, -1)):
                size = int((self.before == was).sum())
                mine = drawn[self.before[drawn] == was]
                turned = (after[:, k, mine] == (not was)) * (self.weights[mine] / most)
                if size:
                    found.append(Stratum(turned, size, sign * self.importance[k] * size * most / self.before.size))
        return found


def bounds_of(calls: Calls, plan: Plan, alpha: float) -> tuple[Floats, Floats]:
    """Low and high of every word's net shift, together wrong with probability alpha at most (Bonferroni)."""
    low, high = np.empty(len(calls.after)), np.empty(len(calls.after))
    for members in _equally_far(calls):
        low[members], high[members] = _bounds(calls, plan, members, alpha)
    return low, high


def estimates_of(calls: Calls, plan: Plan) -> Floats:
    """Every word's net shift as far as it was asked; exact where all was asked."""
    found = np.empty(len(calls.after))
    for members in _equally_far(calls):
        found[members] = estimate(plan.strata(calls.after[members]))
    return found


def still_open(calls: Calls, plan: Plan, settings: Design) -> Integers:
    """The words that are not decided yet, among those that were asked about most (the others were decided before)."""
    counts = calls.asked.sum(axis=(1, 2))
    latest = np.flatnonzero(counts == counts.max())
    low, high = _bounds(calls, plan, latest, 1 - settings.confidence)
    undecided: Integers = latest[decide(low, high, settings.margin) == "undecided"]
    return undecided


def _bounds(calls: Calls, plan: Plan, members: Integers, alpha: float) -> tuple[Floats, Floats]:
    return bounds(plan.strata(calls.after[members]), alpha / len(calls.after))


def _order(before: Booleans, rng: np.random.Generator) -> Integers:
    """A random order within each stratum, the strata spread evenly, so that every beginning holds its share of both."""
    place = np.empty(before.size)
    for was in (False, True):
        members = np.flatnonzero(before == was)
        place[rng.permutation(members)] = (np.arange(members.size) + 0.5) / max(1, members.size)
    return np.argsort(place, kind="stable")


def _rounds(importance: Floats, reviews: int) -> tuple[tuple[int, ...], ...]:
    found: list[tuple[int, ...]] = []
    budget = float(_FIRST_ROUND)
    while not found or sum(found[-1]) < reviews * importance.size:
        found.append(tuple(int(min(reviews, np.ceil(budget * share))) for share in importance))
        budget *= _GROWTH
    return tuple(found)


def _equally_far(calls: Calls) -> Sequence[Integers]:
    """The words, grouped by how many reviews of each K they were asked about."""
    _, group = np.unique(calls.asked.sum(axis=2), axis=0, return_inverse=True)
    return [np.flatnonzero(group.ravel() == number) for number in range(int(group.max()) + 1)]
