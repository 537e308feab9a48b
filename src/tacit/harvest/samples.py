"""Which combinations are kept: the most frequent, the least frequent and random others, as in the study."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tacit.harvest.finder import Match

__all__ = ["Combination", "Sample", "Tallies", "draw_samples"]


@dataclass(slots=True)
class Combination:
    """A word with an adjective: how often it occurs, and one context drawn at random from all of them."""

    count: int
    draw: str
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A combination that was kept, and why: most frequent, least frequent or random."""

    word: str
    adjective: str
    count: int
    text: str
    reason: str


class Tallies:
    """Counts combinations and keeps one context of each.

    The context with the smallest hash (of seed and text) is kept. That is a uniform draw which does not depend on the
    order of the texts, so an interrupted harvest continues to the same result.
    """

    def __init__(self, seed: int, combinations: dict[tuple[str, str], Combination] | None = None) -> None:
        self.seed = seed
        self.combinations = combinations or {}

    def add(self, match: Match) -> None:
        """Count a match."""
        draw = hashlib.sha256(f"{self.seed}\x1f{match.text}".encode()).hexdigest()
        combination = self.combinations.setdefault((match.word, match.adjective), Combination(0, draw, match.text))
        combination.count += 1
        if draw < combination.draw:
            combination.draw, combination.text = draw, match.text


def draw_samples(tallies: Tallies, word: str, count: int, *, known: frozenset[str] | None = None) -> list[Sample]:
    """The most frequent and the least frequent combination of a word, and random others.

    Args:
        tallies: All combinations.
        word: The word.
        count: How many to keep; fewer are returned if there are not enough.
        known: Adjectives to consider (None: all). The rarest words of any corpus are spelling errors.
    """
    combinations = {
        adjective: combination
        for (name, adjective), combination in tallies.combinations.items()
        if name == word and (known is None or adjective in known)
    }
    ranked = sorted(combinations, key=lambda adjective: (-combinations[adjective].count, combinations[adjective].draw))
    ends = {ranked[0]: "most frequent", ranked[-1]: "least frequent"} if len(ranked) > 1 and count > 1 else {}
    rest = sorted(
        (adjective for adjective in combinations if adjective not in ends),
        key=lambda adjective: combinations[adjective].draw,
    )
    reasons = ends | dict.fromkeys(rest[: count - len(ends)], "random")
    return [
        Sample(word, adjective, combinations[adjective].count, combinations[adjective].text, reason)
        for adjective, reason in reasons.items()
    ]
