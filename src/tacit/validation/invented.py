"""Invented names: how much of the measure do names give about which nothing can be believed?"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.validation.checks import Check, NotApplicable, at_most, not_applicable

__all__ = ["INVENTED", "Invented", "invented_check", "matched_name"]

INVENTED = "invented names"
_PASSES, _FAILS = 0.25, 0.5


@dataclass(frozen=True)
class Invented:
    """What invented names give beside real ones.

    Attributes:
        real: The measure with real names.
        invented: The same with invented names, matched in length and in pieces as far as possible.
        said: Both in words.
        low: The low end of the interval of what invented names give, where it has one.
    """

    real: float
    invented: float
    said: str
    low: float | None = None

    @property
    def share(self) -> float:
        """The part of the measure that invented names give; 0 where real names give nothing either."""
        return max(0.0, self.invented) / self.real if self.real > 0 else 0.0


def invented_check(invented: Invented | NotApplicable) -> Check:
    """The share of the measure that is there without anything to believe."""
    if isinstance(invented, NotApplicable):
        return not_applicable(INVENTED, invented)
    outcome = at_most(invented.share, _PASSES, _FAILS)
    if outcome == "fail" and invented.low is not None and invented.low <= _PASSES * invented.real:
        outcome = "doubtful"  # so few invented names could give as much by chance
    return Check(
        INVENTED,
        outcome,
        f"{invented.said}: {invented.share:.0%} of what real names give",
        f"pass up to {_PASSES:.0%}, fail above {_FAILS:.0%}",
        "What names without a meaning give is spelling and length; if that is most of the measure, it is no belief.",
    )


def matched_name(name: str, draw: int) -> str:
    """A pronounceable name that does not exist, with as many letters as a given one; the same draw, the same name.

    Consonants and vowels stand where they stand in the name, spaces and hyphens stay, and capitals stay capitals.
    """
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    state = (draw * 2_654_435_761 + sum(ord(letter) * 31**i for i, letter in enumerate(name))) % 2**32
    letters = []
    for letter in name:
        state = (1_664_525 * state + 1_013_904_223) % 2**32
        if not letter.isalpha():
            letters.append(letter)
            continue
        kind = vowels if letter.lower() in "aeiouyáéíóúãôèê" else consonants
        made = kind[(state >> 16) % len(kind)]
        letters.append(made.upper() if letter.isupper() else made)
    return "".join(letters)
