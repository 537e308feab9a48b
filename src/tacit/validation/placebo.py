"""Placebo: how often does the method's own verdict find something where, by construction, there is nothing?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tacit.methods.base import Verdict
from tacit.statistics import Interval, share_interval
from tacit.validation.checks import Check, NotApplicable, Outcome, not_applicable, worst

__all__ = ["PLACEBO", "Placebo", "placebo_check", "placebo_outcome"]

PLACEBO = "placebo"
_TOO_OFTEN = 1.5
"""Up to so many times the stated error passes, as long as 200 data sets cannot tell it from the stated error."""


@dataclass(frozen=True)
class Placebo:
    """Data sets from a model's real answers in which none of the claims is true.

    Attributes:
        made_by: How they are made: "swapping the poles of the scale for half of the sentences, drawn at random".
        draw: The claims that the method makes of one such data set, from a random generator; only false ones.
    """

    made_by: str
    draw: Callable[[np.random.Generator], Iterable[Verdict]]


def placebo_check(placebo: Placebo | NotApplicable, sets: int = 200, seed: int = 0) -> Check:
    """The share of placebo data sets in which the method claims anything, family by family."""
    if isinstance(placebo, NotApplicable):
        return not_applicable(PLACEBO, placebo)
    made: Counter[str] = Counter()
    errors: dict[str, float] = {}
    for number in range(sets):
        verdicts = list(placebo.draw(np.random.default_rng([seed, number])))
        errors |= {verdict.family: verdict.error for verdict in verdicts}
        made.update({verdict.family for verdict in verdicts if verdict.holds})
    shares = {family: share_interval([1] * made[family] + [0] * (sets - made[family])) for family in errors}
    outcomes = [placebo_outcome(share, errors[family]) for family, share in shares.items()]
    numbers = [
        f"{family}: {made[family]} of {sets} ({share.value:.1%} [{share.low:.1%}, {share.high:.1%}], "
        f"stated {errors[family]:.0%})"
        for family, share in shares.items()
    ]
    return Check(
        PLACEBO,
        worst(*outcomes),
        f"false findings after {placebo.made_by}: {'; '.join(numbers)}",
        f"pass up to {_TOO_OFTEN} times the stated error, fail if the interval lies above the stated error",
        "A probe that finds bias among labels that were dealt at random finds it anywhere.",
    )


def placebo_outcome(share: Interval, error: float) -> Outcome:
    """Fail where false findings are shown to be more frequent than stated, doubtful where they look as if."""
    if share.low > error:
        return "fail"
    return "pass" if share.value <= _TOO_OFTEN * error else "doubtful"
