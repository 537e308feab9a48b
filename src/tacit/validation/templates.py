"""Templates: how much of a score is the wording, and does what is said survive a paraphrase?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau
from scipy.stats import t as t_distribution

from tacit.validation.checks import Check, NotApplicable, at_least, at_most, not_applicable, worst

__all__ = [
    "ORDER",
    "TEMPLATES",
    "Paraphrased",
    "VarianceShares",
    "order_check",
    "sign_flips",
    "templates_check",
    "variance_shares",
]

Floats = npt.NDArray[np.float64]

TEMPLATES, ORDER = "templates", "order of models"
_PASSES, _FAILS = 0.25, 0.5
_FEW_FLIPS = 1 / 3


@dataclass(frozen=True)
class Paraphrased:
    """Scores of the same units under several wordings.

    Attributes:
        values: One row per unit, one column per wording; the first is the probe's own. Zero is the neutral point.
        units: What the units are called in the plural: "occupations".
        wordings: What the wordings are called in the plural: "templates".
        signed: Whether the sign of a score has a meaning.
        summed_up: What the result is the mean of, where that is not the score: of a stereotype, the score turned toward
            it. A model that prefers one group everywhere would otherwise look as if it told units apart.
        relative: Whether only differences between units enter the result, so that a wording may shift all of them.
    """

    values: Floats
    units: str
    wordings: str
    signed: bool = True
    summed_up: Floats | None = None
    relative: bool = False

    @property
    def result(self) -> Floats:
        """What the result is the mean of: one row per unit, one column per wording."""
        return self.values if self.summed_up is None else self.summed_up


@dataclass(frozen=True)
class VarianceShares:
    """What a table of scores varies with: the unit, the wording alone, or both together; the three add up to one."""

    unit: float
    wording: float
    both: float

    @property
    def of_wording(self) -> float:
        """Everything that changes with the wording. A model's answers repeat exactly, so none of it is noise."""
        return self.wording + self.both

    @property
    def of_differences(self) -> float:
        """The part of the differences between units that changes with the wording: 1 - ICC(C,1)."""
        return self.both / (self.unit + self.both) if self.unit + self.both > 0 else 0.0


def variance_shares(values: Floats) -> VarianceShares:
    """Variance components of units by wordings, from the mean squares of a two-way table without replication.

    σ²_both = MS_residual, σ²_unit = (MS_unit − MS_residual) / wordings, σ²_wording = (MS_wording − MS_residual) /
    units, none below 0. The share of the unit is the intraclass correlation of absolute agreement, ICC(A,1).
    """
    units, wordings = values.shape
    of_unit, of_wording = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
    residual = values - of_unit - of_wording + values.mean()
    ms_unit = wordings * float(((of_unit - values.mean()) ** 2).sum()) / (units - 1)
    ms_wording = units * float(((of_wording - values.mean()) ** 2).sum()) / (wordings - 1)
    both = float((residual**2).sum()) / ((units - 1) * (wordings - 1))
    unit, wording = max(0.0, (ms_unit - both) / wordings), max(0.0, (ms_wording - both) / units)
    total = unit + wording + both
    return VarianceShares(*(part / total if total > 0 else 0.0 for part in (unit, wording, both)))


def sign_flips(values: Floats) -> float:
    """The share of scores under a paraphrase whose sign is not that of the probe's own wording (column 0)."""
    own = np.sign(values[:, :1])
    return float((np.sign(values[:, 1:]) != own).mean())


def templates_check(paraphrased: Paraphrased | NotApplicable) -> Check:
    """The share of the variance that is the wording's, and in how many paraphrases the mean changes its sign."""
    if isinstance(paraphrased, NotApplicable):
        return not_applicable(TEMPLATES, paraphrased)
    known = np.isfinite(paraphrased.values).all(axis=1)
    values = paraphrased.values[known]
    shares, outcomes = variance_shares(values), []
    share = shares.of_differences if paraphrased.relative else shares.of_wording
    counted = "apart from what" if paraphrased.relative else f"{shares.wording:.0%}"
    number = (
        f"{share:.0%} of the variance over {len(values)} {paraphrased.units} and {values.shape[1]} "
        f"{paraphrased.wordings} is the wording's ({counted} shifts all alike)"
    )
    if paraphrased.signed:
        flipped, clear = _flipped_means(paraphrased.result[known])
        where = f"in {flipped} of {values.shape[1] - 1}" if clear else "not counted, because it is not clear of zero"
        number += f"; sign of the mean flips: {where}; {sign_flips(values):.0%} of single scores flip"
        outcomes.append(at_most(flipped / (values.shape[1] - 1), 0.0, _FEW_FLIPS) if clear else "pass")
    return Check(
        TEMPLATES,
        worst(at_most(share, _PASSES, _FAILS), *outcomes),
        number,
        f"pass up to {_PASSES:.0%} and no flip of the mean, fail above {_FAILS:.0%} or if a third of the means flip",
        "Above one half, a score says more about the sentence that we chose than about what it is said of.",
    )


def order_check(scores: Mapping[str, Paraphrased]) -> Check:
    """Whether the order of the models under the probe's own wording survives each paraphrase (Kendall's tau)."""
    if len(scores) < 2:
        return not_applicable(ORDER, NotApplicable("it takes two models or more that can be asked in other words"))
    tables = [one.result for one in scores.values()]
    known = np.isfinite(np.hstack(tables)).all(axis=1)
    means = np.array([table[known].mean(axis=0) for table in tables])
    if len(scores) == 2 and not _is_clear((tables[0] - tables[1])[known, 0]):
        why = f"the means of {' and '.join(scores)} are not shown to differ, so they have no order to keep"
        return not_applicable(ORDER, NotApplicable(why))
    taus = [float(kendalltau(means[:, 0], means[:, k]).statistic) for k in range(1, means.shape[1])]
    kept, tau = sum(one == 1 for one in taus), float(np.nanmean(taus))
    return Check(
        ORDER,
        at_least(tau, 0.8, 0.5),
        f"the order of {len(scores)} models is the same in {kept} of {len(taus)} paraphrases (mean tau {tau:.2f})",
        "pass from a mean tau of 0.8, fail below 0.5",
        "Which of two models leans more must not depend on which of several equal wordings was asked.",
    )


def _flipped_means(values: Floats) -> tuple[int, bool]:
    """How many paraphrases have a mean of the other sign, and whether that of the own wording is clear of zero."""
    means = values.mean(axis=0)
    return int((np.sign(means[1:]) != np.sign(means[0])).sum()), _is_clear(values[:, 0])


def _is_clear(values: Floats) -> bool:
    """Whether the 95 % interval of the mean leaves zero out."""
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    return bool(abs(values.mean()) > float(t_distribution.ppf(0.975, len(values) - 1)) * error)
