"""Seeds: do models of one recipe get the same score whatever the seed of their training?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import f as f_distribution

from tacit.statistics import Interval
from tacit.validation.checks import Check, NotApplicable, not_applicable
from tacit.validation.dose_rows import DoseRow
from tacit.validation.reliability import reliability_outcome

__all__ = ["SEEDS", "intraclass_correlation", "seeds_check"]

SEEDS = "seeds"
_FEWEST_RECIPES = 3
_TOO_FEW = NotApplicable(
    f"it takes {_FEWEST_RECIPES} recipes or more whose models can be asked, each with the same two seeds or more"
)


def intraclass_correlation(scores: npt.NDArray[np.float64], confidence: float = 0.95) -> Interval:
    """ICC(1, 1) = (MSB - MSW) / (MSB + (k - 1) MSW) of a table of n recipes by k seeds, with its exact F interval.

    MSB = k sum_i (m_i - m)^2 / (n - 1) and MSW = sum_ij (x_ij - m_i)^2 / (n (k - 1)), where m_i is the mean of recipe i
    and m that of all. With F = MSB / MSW, the ends are (F_e - 1) / (F_e + k - 1), where F_e is F divided (low) or
    multiplied (high) by a quantile of the F distribution (Shrout and Fleiss 1979).
    """
    recipes, seeds = scores.shape
    means = scores.mean(axis=1, keepdims=True)
    between = seeds * float(((means - scores.mean()) ** 2).sum()) / (recipes - 1)
    within = float(((scores - means) ** 2).sum()) / (recipes * (seeds - 1))
    ratio = between / within if within > 0 else np.inf if between > 0 else 1.0
    freedom = (recipes - 1, recipes * (seeds - 1))
    tail = (1 + confidence) / 2
    low = ratio / float(f_distribution.ppf(tail, *freedom))
    high = ratio * float(f_distribution.ppf(tail, *freedom[::-1]))
    value, low, high = ((f - 1) / (f + seeds - 1) if np.isfinite(f) else 1.0 for f in (ratio, low, high))
    return Interval(value, low, high, confidence, recipes, "shrout-fleiss")


def seeds_check(rows: Sequence[DoseRow]) -> Check:
    """How much of the differences between planted models is their recipe (text and dose), and how much the seed."""
    recipes: dict[tuple[str, float], list[DoseRow]] = defaultdict(list)
    for row in rows:
        recipes[row.arm, row.dose].append(row)
    most = max(map(len, recipes.values()), default=0)
    whole = [models for models in recipes.values() if len(models) == most and all(m.validity != "none" for m in models)]
    if most < 2 or len(whole) < _FEWEST_RECIPES:
        return not_applicable(SEEDS, _TOO_FEW)
    table = np.array([[model.value for model in models] for models in whole])
    found = intraclass_correlation(table)
    spread = float(np.sqrt(table.var(axis=1, ddof=1).mean()))
    number = (
        f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}] (ICC) of {len(whole)} recipes with {most} seeds each; "
        f"one seed differs from another of its recipe by a standard deviation of {spread:.3f}"
    )
    return reliability_outcome(SEEDS, found, number)
