"""Confounds: do scores follow the frequency, the length or the pieces of the words instead of their meaning?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata
from scipy.stats import t as t_distribution

from tacit.statistics import holm
from tacit.validation.checks import Check, NotApplicable, at_most, not_applicable

__all__ = ["CONFOUNDS", "Confounded", "confounds_check", "partial_rank_correlation", "zipf"]

Floats = npt.NDArray[np.float64]

CONFOUNDS = "confounds"
_PASSES, _FAILS = 0.3, 0.5
_ERROR = 0.05


@dataclass(frozen=True)
class Confounded:
    """Scores of units, and what should not explain them.

    Attributes:
        scores: Scores of the units by name, such as the score itself and its size.
        confounds: What is known of the units: "frequency", "length", "pieces".
        units: What they are called in the plural.
        design: Columns that may well explain the scores, such as the group of a sentence; they are held constant.
    """

    scores: Mapping[str, Floats]
    confounds: Mapping[str, Floats]
    units: str
    design: Mapping[str, Floats] = field(default_factory=dict)


def partial_rank_correlation(x: Floats, y: Floats, given: list[Floats]) -> tuple[float, float]:
    """Spearman's partial correlation of x and y with the columns of `given` held constant, and its p-value.

    r = cor(e_x, e_y), where e are the residuals of least squares of the ranks on the ranks of the given columns.
    t = r √(f / (1 − r²)) has Student's distribution with f = n − 2 − (number of given columns) degrees of freedom.
    """
    n = len(x)
    freedom = n - 2 - len(given)
    design = np.column_stack([np.ones(n), *(rankdata(column) for column in given)])
    left, right = (
        ranks - design @ np.linalg.lstsq(design, ranks, rcond=None)[0] for ranks in (rankdata(x), rankdata(y))
    )
    scale = float(np.sqrt((left**2).sum() * (right**2).sum()))
    # Residuals of a column that the others determine are rounding.
    if scale <= 1e-9 * n**3 or freedom < 1:
        return float("nan"), float("nan")
    r = float(np.clip((left @ right) / scale, -1, 1))
    statistic = abs(r) * np.sqrt(freedom / max(1e-15, 1 - r**2))
    return r, float(2 * t_distribution.sf(statistic, freedom))


def confounds_check(confounded: Confounded | NotApplicable) -> Check:
    """The largest partial correlation of a score with a confound that survives Holm's correction."""
    if isinstance(confounded, NotApplicable):
        return not_applicable(CONFOUNDS, confounded)
    varying = {name: column for name, column in confounded.confounds.items() if np.ptp(column) > 0}
    found: dict[str, tuple[float, float]] = {}
    for score, values in confounded.scores.items():
        for name, column in varying.items():
            others = [other for rival, other in varying.items() if rival != name]
            found[f"{score} with {name}"] = partial_rank_correlation(
                values, column, [*others, *confounded.design.values()]
            )
    found = {name: pair for name, pair in found.items() if np.isfinite(pair[0])}
    if not found:
        return not_applicable(CONFOUNDS, NotApplicable("there are too few units, or they do not differ"))
    adjusted = dict(zip(found, holm([p for _, p in found.values()]).tolist(), strict=True))
    shown = {name: r for name, (r, _) in found.items() if adjusted[name] < _ERROR}
    largest = max((abs(r) for r in shown.values()), default=0.0)
    numbers = ", ".join(
        f"{name} {r:+.2f}{'' if name in shown else ' (could be chance)'}" for name, (r, _) in found.items()
    )
    return Check(
        CONFOUNDS,
        at_most(largest, _PASSES, _FAILS),
        f"partial rank correlation over {len(next(iter(confounded.scores.values())))} {confounded.units}: {numbers}",
        f"pass up to ±{_PASSES} among those that survive Holm's correction, fail above ±{_FAILS}",
        "At 0.5 a quarter of the variance of the scores is told by a property that has nothing to do with belief.",
    )


def zipf(text: str) -> float:
    """How common a phrase is in English, as wordfreq's Zipf value; that of its rarest word bounds it."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - slow to import, and only this check needs it

    return float(zipf_frequency(text, "en"))
