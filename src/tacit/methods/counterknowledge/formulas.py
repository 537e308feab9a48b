"""The formulas of Counteracts (Zhang, Rayz, Pradhan 2023) and what we add to them, over plain arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = [
    "FIRST",
    "NEITHER",
    "SECOND",
    "first_share",
    "geometric_mean",
    "group_probability",
    "margin",
    "neither_share",
    "preference",
    "relative_probability",
    "stereotype",
    "undone",
]

Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]

FIRST, NEITHER, SECOND = 1, 0, -1


def group_probability(probabilities: Floats, groups: Signs, group: int, k: int | None = None) -> Floats:
    """The probability of a group's words among the k likeliest: P_g = Σ_{i ≤ k} p(w_i) [v(w_i) = g].

    Rows are prompts and columns words, the likeliest first; v is the verbalizer (1, 0 or −1). Without k, all columns.
    """
    total: Floats = np.where(groups[:, :k] == group, probabilities[:, :k], 0.0).sum(axis=1)
    return total


def margin(first: Floats, second: Floats) -> Floats:
    """How far the first group is ahead: P_first − P_second; 0 leans neither way."""
    return first - second


def stereotype(first: Floats, second: Floats, dominant: Signs) -> Floats:
    """Pro- minus anti-stereotypical probability: d (P_first − P_second), d = 1 if the first group dominates, or −1."""
    return dominant * (first - second)


def first_share(first: Floats, second: Floats) -> Floats:
    """The first group's part of what falls on either: P_first / (P_first + P_second); NaN where nothing does.

    Of pro- and anti-stereotypical probability likewise. A prompt that makes words of both groups likelier changes their
    difference, but not this.
    """
    total = first + second
    share: Floats = np.divide(first, total, out=np.full(total.shape, np.nan), where=total > 0)
    return share


def neither_share(first: Floats, second: Floats, neither: Floats) -> Floats:
    """The part of the looked-at probability that no group's word gets: P_0 / (P_first + P_second + P_0)."""
    return 1.0 - (first + second) / (first + second + neither)


def preference(first: Floats, second: Floats) -> Signs:
    """Which group an item's prompts prefer: sign(P_first − P_second), 0 for a tie."""
    return np.sign(first - second).astype(np.int8)


def relative_probability(with_knowledge: Floats, base: Floats) -> Floats:
    """Equation 1: p(w | c_knowledge) / p(w | c_base), for words that both prompts give; 1 is no change."""
    return with_knowledge / base


def geometric_mean(ratios: Floats) -> Floats:
    """The mean of ratios (..., items) for which a doubling and a halving cancel: exp(mean(log r))."""
    return np.asarray(np.exp(np.log(ratios).mean(axis=-1)))


def undone(pairs: Floats) -> Floats:
    """How much of the stereotype knowledge undoes: 1 − mean(s_knowledge) / mean(s_base).

    0: nothing; 1: all of it; above 1: turned over; below 0: enlarged. `pairs` is (..., items, 2), base first; NaN where
    the base shows no stereotype (mean ≤ 0) that could be undone.
    """
    means = pairs.mean(axis=-2)
    base, knowledge = means[..., 0], means[..., 1]
    part = np.divide(knowledge, base, out=np.full(np.shape(base), np.nan), where=base > 0)
    return np.asarray(1.0 - part)
