"""Reliability: do two halves of the questions order what the probe scores in the same way?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import f as f_distribution

from tacit.statistics import Interval
from tacit.validation.checks import Check, NotApplicable, Outcome, at_least, not_applicable, worst

__all__ = [
    "RELIABILITY",
    "Halves",
    "alpha_check",
    "cronbach_alpha",
    "reliability_check",
    "reliability_outcome",
    "spearman_brown",
    "split_half",
]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

RELIABILITY = "reliability"
_PASSES, _FAILS = 0.7, 0.5
_SPLITS, _RESAMPLES = 50, 1000


@dataclass(frozen=True)
class Halves:
    """Scores that can be computed from a part of the questions.

    Attributes:
        score: One score per target, from the parts that are kept (parts,).
        parts: How many parts there are.
        targets: What is scored, in the plural: "adverbs".
        split: What is split in halves: "the sentences of each adverb".
    """

    score: Callable[[Booleans], Floats]
    parts: int
    targets: str
    split: str


def spearman_brown(half: float) -> float:
    """2 r / (1 + |r|): the reliability of the whole from the correlation r of its halves.

    The sign-symmetric form: for r < 0 it is minus the value for |r|, where the plain 2 r / (1 + r) has no bound.
    """
    return 2 * half / (1 + abs(half))


def split_half(halves: Halves, splits: int = _SPLITS, seed: int = 0) -> Interval:
    """The mean correlation of both halves over random splits, stepped up by Spearman-Brown, with its interval.

    ρ = SB(mean_s r_s), where r_s is Pearson's correlation, over the targets, of the scores from both halves of split s.
    The interval is the percentile bootstrap over the targets. Targets without a score in some half are left out.
    """
    rng = np.random.default_rng(seed)
    masks = [rng.permutation(halves.parts) < halves.parts // 2 for _ in range(splits)]
    first = np.array([halves.score(mask) for mask in masks])
    second = np.array([halves.score(~mask) for mask in masks])
    known = np.isfinite(first).all(axis=0) & np.isfinite(second).all(axis=0)
    first, second = first[:, known], second[:, known]
    n = int(known.sum())
    drawn = [spearman_brown(_mean_correlation(first[:, d], second[:, d])) for d in rng.integers(0, n, (_RESAMPLES, n))]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    value = spearman_brown(_mean_correlation(first, second))
    return Interval(value, float(low), float(high), 0.95, n, "percentile")


def cronbach_alpha(scores: Floats) -> Interval:
    """α = 1 − MS_residual / MS_targets of a table of targets by parts, with Feldt's exact F interval.

    (1 − α) / (1 − α̂) has the F distribution with T − 1 and (T − 1)(K − 1) degrees of freedom, for T targets and K
    parts. α is the mean of all split-half reliabilities (Cronbach 1951), and is defined for two targets or more.
    """
    targets, parts = scores.shape
    means = scores.mean(axis=1, keepdims=True)
    residual = scores - means - scores.mean(axis=0, keepdims=True) + scores.mean()
    freedom = ((targets - 1), (targets - 1) * (parts - 1))
    between = parts * float(((means - scores.mean()) ** 2).sum()) / freedom[0]
    within = float((residual**2).sum()) / freedom[1]
    ratio = within / between if between > 0 else np.inf
    low, high = (1 - ratio * f_distribution.ppf(level, *freedom) for level in (0.975, 0.025))
    return Interval(1 - ratio, float(low), float(high), 0.95, parts, "feldt")


def reliability_check(halves: Halves | NotApplicable) -> Check:
    """Split-half over the questions, where one model's own scores can be split."""
    if isinstance(halves, NotApplicable):
        return not_applicable(RELIABILITY, halves)
    return _check(split_half(halves), f"of {{n}} {halves.targets}, splitting {halves.split}")


def alpha_check(scores: dict[str, Floats], parts: str) -> Check:
    """Cronbach's alpha over models, where each question gives one score of the whole model.

    Args:
        scores: The score of each part, by model; NaN where one has none.
        parts: What the parts are called in the plural.
    """
    table = np.array(list(scores.values()))
    table = table[:, np.isfinite(table).all(axis=0)]
    if len(table) < 2:
        return not_applicable(RELIABILITY, NotApplicable("it takes two models or more, each with a score per sentence"))
    return _check(cronbach_alpha(table), f"of the scores of {len(table)} models over {{n}} {parts} (Cronbach's alpha)")


def reliability_outcome(name: str, found: Interval, number: str) -> Check:
    """A check of a reliability against the bars that all of them share."""
    sure: Outcome = "pass" if found.low >= _FAILS else "doubtful"
    outcome = at_least(found.value, _PASSES, _FAILS)
    return Check(
        name,
        worst(outcome, sure) if outcome == "pass" else outcome,
        number,
        f"pass from {_PASSES} with an interval above {_FAILS}, fail below {_FAILS}",
        "Below 0.5, more of the differences between scores is chance than is the thing itself.",
    )


def _check(found: Interval, of: str) -> Check:
    number = f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}] {of.format(n=found.n)}"
    return reliability_outcome(RELIABILITY, found, number)


def _mean_correlation(first: Floats, second: Floats) -> float:
    """The mean over splits of Pearson's correlation over targets; a split without variance does not count."""
    a, b = (half - half.mean(axis=1, keepdims=True) for half in (first, second))
    scale = np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    defined = scale > 0
    if not defined.any():
        return 0.0
    return float(((a * b).sum(axis=1)[defined] / scale[defined]).mean())
