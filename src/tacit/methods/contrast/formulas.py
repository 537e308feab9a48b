"""The equations of the intensifier study, as pure functions over arrays.

The study's measures are means over items: acc = mean(a_i), MRR = mean(1/r_i), diff = mean(r_i − r'_i), where r_i is the
rank of the word in item i (the most likely word has rank 1) and r'_i that of its rival.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

__all__ = [
    "cluster_variances",
    "coin_p",
    "least_squares",
    "rank_difference",
    "reciprocal_rank",
    "standardized_coefficients",
    "ties",
    "wins",
]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


def wins(
    rank: npt.ArrayLike, rival_rank: npt.ArrayLike, lead: npt.ArrayLike = 0.0, *, ties_are_wrong: bool = False
) -> Floats:
    """a_i = [r_i < r'_i]: 1 where the word ranks above its rival, 0 where it ranks below, NaN for a tie.

    Args:
        rank: The ranks of the words; NaN where a word has none.
        rival_rank: The ranks of their rivals.
        lead: The probability of the word minus that of its rival, which decides between equal ranks.
        ties_are_wrong: Count a tie as 0, as the study does.
    """
    own, rival = np.asarray(rank, dtype=np.float64), np.asarray(rival_rank, dtype=np.float64)
    above = (own < rival) | ((own == rival) & (np.asarray(lead) > 0))
    undecided = np.isnan(own) | np.isnan(rival)
    if not ties_are_wrong:
        undecided |= ties(own, rival, lead)
    return np.where(undecided, np.nan, above.astype(np.float64))


def ties(rank: npt.ArrayLike, rival_rank: npt.ArrayLike, lead: npt.ArrayLike = 0.0) -> Booleans:
    """t_i = [r_i = r'_i], unless a lead in probability decides."""
    return np.asarray((np.asarray(rank) == np.asarray(rival_rank)) & (np.asarray(lead) == 0))


def reciprocal_rank(rank: npt.ArrayLike) -> Floats:
    """1/r_i, whose mean is the MRR."""
    return np.asarray(1 / np.asarray(rank, dtype=np.float64))


def rank_difference(rank: npt.ArrayLike, rival_rank: npt.ArrayLike) -> Floats:
    """r_i − r'_i: positive where the rival ranks higher."""
    return np.asarray(np.asarray(rank, dtype=np.float64) - np.asarray(rival_rank, dtype=np.float64))


def coin_p(heads: int, throws: int) -> float:
    """Two-sided p-value of a fair coin: min(1, 2 P(X ≤ min(k, n − k))) for k heads in n throws."""
    return min(1.0, 2 * float(bdtr(min(heads, throws - heads), throws, 0.5)))


def least_squares(outcome: Floats, predictors: Floats) -> Floats:
    """b = (X'X)^-1 X'y: the coefficients of y (n,) on the columns of X (n, k); an intercept is a column of ones."""
    return np.asarray(np.linalg.lstsq(predictors, outcome)[0], dtype=np.float64)


def cluster_variances(outcome: Floats, predictors: Floats, clusters: npt.NDArray[np.int64]) -> Floats:
    """The variances of b where the items of a cluster g err together: diag(B M B), M = sum_g (X_g'e_g)(X_g'e_g)'.

    B = (X'X)^-1, and e = y - Xb are the residuals. There is no correction for few clusters, so it needs many.
    """
    residuals = outcome - predictors @ least_squares(outcome, predictors)
    sums = np.zeros((int(clusters.max()) + 1, predictors.shape[1]))
    np.add.at(sums, clusters, predictors * residuals[:, None])
    influence = sums @ np.linalg.inv(predictors.T @ predictors)
    return np.asarray((influence**2).sum(axis=0), dtype=np.float64)


def standardized_coefficients(outcome: npt.ArrayLike, predictors: npt.ArrayLike) -> Floats:
    """Least squares of z(y) on z(x_1) ... z(x_k): β = R_xx⁻¹ r_xy, with R the correlations of the sample.

    Args:
        outcome: Shape (..., n).
        predictors: Shape (..., n, k).

    Returns:
        Shape (..., k), so that all resamples are computed in one call. NaN for a sample in which the outcome or a
        predictor is constant, or in which the predictors determine each other.
    """
    y, x = _standardized(np.asarray(outcome, dtype=np.float64)[..., None]), _standardized(np.asarray(predictors))
    count = x.shape[-2]
    among = np.swapaxes(x, -1, -2) @ x / count
    with_outcome = np.swapaxes(x, -1, -2) @ y / count
    defined = np.isfinite(with_outcome).all(axis=(-1, -2)) & np.isfinite(among).all(axis=(-1, -2))
    # Two predictors that correlate at 1 − 1e-9 leave a determinant near 2e-9, and coefficients without meaning.
    defined &= np.linalg.det(np.where(defined[..., None, None], among, np.eye(x.shape[-1]))) > 1e-9
    solvable = np.where(defined[..., None, None], among, np.eye(x.shape[-1]))
    coefficients = np.linalg.solve(solvable, np.where(defined[..., None, None], with_outcome, np.nan))
    return np.asarray(coefficients[..., 0], dtype=np.float64)


def _standardized(values: Floats) -> Floats:
    values = np.asarray(values, dtype=np.float64)
    centered = values - values.mean(axis=-2, keepdims=True)
    spread = np.sqrt((centered**2).mean(axis=-2, keepdims=True))
    # The mean of equal values is rounded, so a constant has a spread that is tiny rather than zero.
    constant = spread <= 1e-12 * np.maximum(np.abs(values).max(axis=-2, keepdims=True), 1e-300)
    return np.asarray(centered / np.where(constant, np.nan, spread))
