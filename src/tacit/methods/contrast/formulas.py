"""The formulas of the intensifier study (study 5 of the errata): is a word ranked above the one it is held against?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = [
    "above",
    "accuracy",
    "mean_rank_difference",
    "mean_reciprocal_rank",
    "standardised_coefficients",
    "tied",
]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


def above(rank: npt.ArrayLike, against: npt.ArrayLike) -> Booleans:
    """a_i = [r_i < r'_i], with r the word's rank and r' that of the word it is held against; a tie is not above."""
    return np.asarray(np.asarray(rank) < np.asarray(against))


def tied(rank: npt.ArrayLike, against: npt.ArrayLike) -> Booleans:
    """t_i = [r_i = r'_i]."""
    return np.asarray(np.asarray(rank) == np.asarray(against))


def accuracy(rank: npt.ArrayLike, against: npt.ArrayLike, *, ties_are_wrong: bool = False) -> float:
    """acc = Σ a_i / (n − Σ t_i): the share ranked above, among the items that decide; NaN where none does.

    With `ties_are_wrong`, as published: acc = Σ a_i / n.
    """
    won, ties = above(rank, against), tied(rank, against)
    decided = won.size if ties_are_wrong else won.size - int(ties.sum())
    return float(won.sum() / decided) if decided else float("nan")


def mean_reciprocal_rank(rank: npt.ArrayLike) -> float:
    """MRR = (1/n) Σ 1/r_i, the likeliest word having rank 1."""
    return float(np.mean(1 / np.asarray(rank, dtype=np.float64)))


def mean_rank_difference(rank: npt.ArrayLike, against: npt.ArrayLike) -> float:
    """diff = (1/n) Σ (r_i − r'_i): positive where the other word stands higher in the ranking."""
    return float(np.mean(np.asarray(rank, dtype=np.float64) - np.asarray(against, dtype=np.float64)))


def standardised_coefficients(outcome: npt.ArrayLike, predictors: npt.ArrayLike) -> Floats:
    """Least squares of z(y) on z(x_1) ... z(x_k): β = R_xx⁻¹ r_xy, with R the correlations of the sample.

    Outcomes (..., n) and predictors (..., n, k) give (..., k), so that resamples are computed in one call. A sample in
    which the outcome or a predictor is constant, or in which the predictors determine each other, gives NaN.
    """
    y, x = _standardised(np.asarray(outcome, dtype=np.float64)[..., None]), _standardised(np.asarray(predictors))
    count = x.shape[-2]
    among = np.swapaxes(x, -1, -2) @ x / count
    with_outcome = np.swapaxes(x, -1, -2) @ y / count
    defined = np.isfinite(with_outcome).all(axis=(-1, -2)) & np.isfinite(among).all(axis=(-1, -2))
    # Two predictors that are correlated at 1 − 1e-9 leave a determinant near 2e-9, and coefficients that mean nothing.
    defined &= np.linalg.det(np.where(defined[..., None, None], among, np.eye(x.shape[-1]))) > 1e-9
    solvable = np.where(defined[..., None, None], among, np.eye(x.shape[-1]))
    found = np.linalg.solve(solvable, np.where(defined[..., None, None], with_outcome, np.nan))
    return np.asarray(found[..., 0], dtype=np.float64)


def _standardised(values: npt.NDArray[np.float64]) -> Floats:
    values = np.asarray(values, dtype=np.float64)
    away = values - values.mean(axis=-2, keepdims=True)
    spread = np.sqrt((away**2).mean(axis=-2, keepdims=True))
    # The mean of equal values is rounded, so a constant shows as a spread that is tiny rather than zero.
    constant = spread <= 1e-12 * np.maximum(np.abs(values).max(axis=-2, keepdims=True), 1e-300)
    return np.asarray(away / np.where(constant, np.nan, spread))
