"""The equations of Counteracts (Zhang, Rayz and Pradhan 2023) and our additions, as pure functions over arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

__all__ = [
    "FIRST",
    "NEITHER",
    "SECOND",
    "first_share",
    "group_probability",
    "margin",
    "neither_share",
    "preference",
    "relative_probability",
    "spearman_difference",
    "stereotype",
]

Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]

FIRST, NEITHER, SECOND = 1, 0, -1


def group_probability(probabilities: Floats, groups: Signs, group: int, k: int | None = None) -> Floats:
    """The probability of a group's words among the k most likely: P_g = Σ_{i ≤ k} p(w_i) [v(w_i) = g].

    Args:
        probabilities: One row per prompt, one column per word, the most likely word first.
        groups: The verbalizer v for the same cells: FIRST, NEITHER or SECOND.
        group: The group g to sum over.
        k: The number of columns to use; None means all.
    """
    total: Floats = np.where(groups[:, :k] == group, probabilities[:, :k], 0.0).sum(axis=1)
    return total


def margin(first: Floats, second: Floats) -> Floats:
    """The lead of the first group: P_first − P_second; 0 means no preference."""
    return first - second


def stereotype(first: Floats, second: Floats, dominant: Signs) -> Floats:
    """Pro- minus anti-stereotypical probability: d (P_first − P_second), d = 1 if the first group dominates, or −1."""
    return dominant * (first - second)


def first_share(first: Floats, second: Floats) -> Floats:
    """The first group's share of the probability of both: P_first / (P_first + P_second); NaN where both are 0.

    Also used with pro- and anti-stereotypical probability. A prompt that makes the words of both groups more likely
    changes their difference, but not this share.
    """
    total = first + second
    share: Floats = np.divide(first, total, out=np.full(total.shape, np.nan), where=total > 0)
    return share


def neither_share(first: Floats, second: Floats, neither: Floats) -> Floats:
    """The share of probability on words of neither group: P_0 / (P_first + P_second + P_0)."""
    return 1.0 - (first + second) / (first + second + neither)


def preference(first: Floats, second: Floats) -> Signs:
    """The group that an item's prompts prefer: sign(P_first − P_second); 0 is a tie."""
    return np.sign(first - second).astype(np.int8)


def relative_probability(with_knowledge: Floats, base: Floats) -> Floats:
    """Equation 1: p(w | c_knowledge) / p(w | c_base), for words that both prompts return; 1 means no change."""
    return with_knowledge / base


def spearman_difference(columns: Floats) -> Floats:
    """rho(x, b) − rho(x, a): by how much the rank correlation with x changes when b replaces a.

    Args:
        columns: x, a and b as the last axis, items as the one before: shape (..., items, 3).

    Returns:
        Shape (...); NaN where a column is constant.
    """
    ranks = rankdata(columns, axis=-2)
    centered = ranks - ranks.mean(axis=-2, keepdims=True)
    x, a, b = np.moveaxis(centered, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rho_a, rho_b = ((x * y).sum(-1) / np.sqrt((x**2).sum(-1) * (y**2).sum(-1)) for y in (a, b))
    return np.asarray(rho_b - rho_a)
