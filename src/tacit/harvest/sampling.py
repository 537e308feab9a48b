"""Which combinations are kept: the most frequent, the least frequent and others at random, as in the study."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tacit.harvest.finding import Found

__all__ = ["Combination", "Picked", "Tallies", "pick"]


@dataclass(slots=True)
class Combination:
    """A word with an adjective: how often they were seen, and one context drawn from all of them."""

    count: int
    draw: str
    text: str


@dataclass(frozen=True, slots=True)
class Picked:
    """A combination that was chosen, and why: most frequent, least frequent or random."""

    word: str
    adjective: str
    count: int
    text: str
    why: str


class Tallies:
    """Counts combinations and keeps one context of each.

    The context kept is the one whose hash with the seed is smallest: a uniform draw that does not depend on the order
    in which texts come, so that an interrupted harvest goes on to the same result.
    """

    def __init__(self, seed: int, kept: dict[tuple[str, str], Combination] | None = None) -> None:
        self.seed = seed
        self.combinations = kept or {}

    def add(self, found: Found) -> None:
        """Count one."""
        draw = hashlib.sha256(f"{self.seed}\x1f{found.text}".encode()).hexdigest()
        kept = self.combinations.setdefault((found.word, found.adjective), Combination(0, draw, found.text))
        kept.count += 1
        if draw < kept.draw:
            kept.draw, kept.text = draw, found.text


def pick(tallies: Tallies, word: str, each: int, *, known: frozenset[str] | None = None) -> list[Picked]:
    """`each` combinations of a word: most frequent, least frequent, the rest at random; fewer if there are no more.

    Spelling errors, which are what is rarest in any corpus, are left out: adjectives that are not among `known`.
    """
    own = {
        adjective: found
        for (name, adjective), found in tallies.combinations.items()
        if name == word and (known is None or adjective in known)
    }
    ranked = sorted(own, key=lambda adjective: (-own[adjective].count, own[adjective].draw))
    ends = {ranked[0]: "most frequent", ranked[-1]: "least frequent"} if len(ranked) > 1 and each > 1 else {}
    rest = sorted((adjective for adjective in own if adjective not in ends), key=lambda adjective: own[adjective].draw)
    chosen = [*ends.items(), *((adjective, "random") for adjective in rest[: each - len(ends)])]
    return [Picked(word, adjective, own[adjective].count, own[adjective].text, why) for adjective, why in chosen]
