"""Scorers: do other accepted ways to score the same sentences say the same?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from tacit.validation.checks import Check, NotApplicable, at_least, at_most, not_applicable, worst

__all__ = ["SCORERS", "Scored", "disagreement", "scorers_check"]

Floats = npt.NDArray[np.float64]

SCORERS = "scorers"


@dataclass(frozen=True)
class Scored:
    """The scores of the same units by several scorers.

    Attributes:
        values: One score per unit, by scorer; the probe's own comes first.
        units: What the units are called in the plural.
        signed: Whether the sign of a score says to which side a unit leans; if not, the side of the median does.
    """

    values: Mapping[str, Floats]
    units: str
    signed: bool = True


def disagreement(first: Floats, second: Floats, *, signed: bool) -> float:
    """The share of units on different sides: of zero if scores are signed, of their scorer's median if not."""
    sides = [np.sign(values if signed else values - np.median(values)) for values in (first, second)]
    return float((sides[0] != sides[1]).mean())


def scorers_check(scored: Scored | NotApplicable) -> Check:
    """Spearman's correlation of each other scorer with the probe's own, and the share of units they disagree on."""
    if isinstance(scored, NotApplicable):
        return not_applicable(SCORERS, scored)
    known = np.isfinite(np.array(list(scored.values.values()))).all(axis=0)
    values = {name: one[known] for name, one in scored.values.items()}
    own, *others = values
    ranks = {name: float(spearmanr(values[own], values[name]).statistic) for name in others}
    apart = {name: disagreement(values[own], values[name], signed=scored.signed) for name in others}
    side = "side" if scored.signed else "side of the median"
    numbers = [f"{name} {ranks[name]:.2f} (other {side}: {apart[name]:.0%})" for name in others]
    return Check(
        SCORERS,
        worst(at_least(min(ranks.values()), 0.7, 0.3), at_most(max(apart.values()), 0.2, 0.4)),
        f"rank correlation with {own} over {int(known.sum())} {scored.units}: {', '.join(numbers)}",
        "pass from 0.7 with at most 20% on another side, fail below 0.3 or above 40%",
        "Scorers that are meant to measure the same and correlate below 0.7 share less than half of their variance.",
    )
