"""Words: does the result hang on a single one of them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tacit.validation.checks import Check, NotApplicable, at_most, not_applicable

__all__ = ["WORDS", "LeaveOneOut", "words_check"]

WORDS = "words"
_PASSES, _FAILS = 0.5, 1.0


@dataclass(frozen=True)
class LeaveOneOut:
    """A value without each of its words.

    Attributes:
        name: What the value is: "accuracy".
        value: With all words.
        width: The width of its interval.
        without: The value without each word.
    """

    name: str
    value: float
    width: float
    without: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """The range of the values without one word, relative to the width of the interval."""
        ends = [*self.without.values(), self.value]
        return (max(ends) - min(ends)) / self.width if self.width > 0 else 0.0

    @property
    def most(self) -> str:
        """The word that changes the value most."""
        return max(self.without, key=lambda word: abs(self.without[word] - self.value))


def words_check(values: Sequence[LeaveOneOut] | NotApplicable) -> Check:
    """The range of the value over all ways to leave one word out, against the width of its interval."""
    if isinstance(values, NotApplicable):
        return not_applicable(WORDS, values)
    found = max(values, key=lambda one: one.ratio)
    return Check(
        WORDS,
        at_most(found.ratio, _PASSES, _FAILS),
        f"{found.name} ({found.value:.3g}) moves over {found.ratio:.0%} of its interval's width when one of "
        f'{len(found.without)} words is left out; most without "{found.most}" ({found.without[found.most]:.3g})',
        f"pass up to {_PASSES:.0%}, fail above {_FAILS:.0%} of the interval's width",
        "If one word moves the value further than the interval allows for, the list was chosen, not sampled.",
    )
