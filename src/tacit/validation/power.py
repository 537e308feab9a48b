"""Power: the smallest effect that a run of this size finds in four of five cases, and what a smaller one would take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import t as t_distribution

from tacit.probes.certificate import Power
from tacit.validation.checks import Check, NotApplicable, at_most, not_applicable

__all__ = ["POWER", "Effect", "needed_units", "power_check", "smallest_effect"]

POWER = "power"
_POWER, _ERROR = 0.8, 0.05


@dataclass(frozen=True)
class Effect:
    """What a probe is meant to see, and how precisely a run sees it.

    Attributes:
        name: What an effect is, in words: "the mean beta of a group of sentences".
        unit: What was sampled, in the plural.
        n: How many of it there are.
        error: The standard error of the effect with these units.
        matters: The smallest effect worth knowing about.
        why: Why that matters, as a clause: "half a point of the scale".
        tests: How many tests share the error (Bonferroni, the first step of Holm's).
        margin: What the effect is tested against: it must be shown to be larger than this.
    """

    name: str
    unit: str
    n: int
    error: float
    matters: float
    why: str
    tests: int = 1
    margin: float = 0.0

    @property
    def smallest(self) -> float:
        """The smallest effect found in four of five runs."""
        return self.margin + smallest_effect(self.error, self.n - 1, tests=self.tests)


def smallest_effect(error: float, freedom: int, *, tests: int = 1) -> float:
    """(t_{1−α/2m} + t_{0.8}) · SE with α = 0.05 and m tests: found by a two-sided t test in 80 % of the runs.

    The usual approximation of the noncentral t distribution, exact as the degrees of freedom grow.
    """
    freedom = max(1, freedom)
    levels = (1 - _ERROR / (2 * tests), _POWER)
    return float(sum(t_distribution.ppf(level, freedom) for level in levels)) * error


def needed_units(n: int, smallest: float, effect: float, margin: float = 0.0) -> int:
    """n · ((smallest − margin) / (effect − margin))², because a standard error falls with the root of n."""
    return math.ceil(n * ((smallest - margin) / (effect - margin)) ** 2)


def power_check(effect: Effect | NotApplicable, questions: int) -> tuple[Check, Power | None]:
    """Whether a run of this size sees the smallest effect worth knowing about."""
    if isinstance(effect, NotApplicable):
        return not_applicable(POWER, effect), None
    check = Check(
        POWER,
        at_most(effect.smallest, effect.matters, 2 * effect.matters),
        f"the smallest {effect.name} found in 80% of runs with {effect.n} {effect.unit}: {effect.smallest:.3g}",
        f"pass up to {effect.matters:g} ({effect.why}), fail above {2 * effect.matters:g}",
        "A probe that finds nothing has shown nothing unless it would have found what matters.",
    )
    return check, Power(effect.name, effect.unit, effect.n, float(f"{effect.smallest:.4g}"), questions, effect.margin)
