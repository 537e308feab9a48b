"""How far raters agree beyond chance: Krippendorff's alpha, missing ratings allowed, with an interval over units."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Method, as_numbers, check_resampling
from tacit.statistics.intervals import Interval, interval_from
from tacit.statistics.resampling import draw_counts, leave_one_out_counts

__all__ = ["Level", "krippendorff_alpha", "krippendorff_interval"]

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: npt.ArrayLike, level: Level = "nominal") -> float:
    """Krippendorff's alpha of ratings (raters, units), NaN where a rater left a unit out.

    α = 1 − D_o / D_e with D_o = (1/n) Σ_u 1/(m_u − 1) Σ_ck n_uc n_uk δ²_ck and D_e = 1/(n (n − 1)) Σ_ck n_c n_k δ²_ck
    over the units rated at least twice: n_uc ratings c of unit u, m_u = Σ_c n_uc, n_c = Σ_u n_uc, n = Σ_c n_c. δ²_ck is
    [c ≠ k] (nominal), (c − k)² (interval), or (n_c/2 + Σ_{c<g<k} n_g + n_k/2)² (ordinal).
    NaN when all ratings are equal, because then no disagreement was to be expected.
    """
    counts, values = _category_counts(ratings, level)
    return float(_alphas(np.ones((1, len(counts))), counts, values, level)[0])


def krippendorff_interval(
    ratings: npt.ArrayLike,
    level: Level = "nominal",
    *,
    method: Method = "percentile",
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Alpha with its interval over resampled units; resamples in which all ratings are equal are left out."""
    check_resampling(method, resamples, confidence, seed)
    counts, values = _category_counts(ratings, level)
    n = len(counts)
    value = float(_alphas(np.ones((1, n)), counts, values, level)[0])
    if n == 1:
        return Interval(value, np.nan, np.nan, confidence, 1, method)
    replicates = [_alphas(weights, counts, values, level) for weights in draw_counts(n, resamples, seed)]
    left_out = leave_one_out_counts(n) if method == "bca" else iter(())
    jackknife = [_alphas(weights, counts, values, level) for weights in left_out]
    return interval_from(
        value, np.concatenate(replicates), n, confidence, np.concatenate(jackknife) if jackknife else None
    )


def _category_counts(ratings: npt.ArrayLike, level: Level) -> tuple[Floats, Floats]:
    """n_uc for the units rated at least twice, and the categories in order."""
    table = as_numbers(ratings, "ratings")
    if level not in ("nominal", "ordinal", "interval"):
        raise TacitError(f"There is no level {level!r}: choose 'nominal', 'ordinal' or 'interval'.")
    if table.ndim != 2 or np.isinf(table).any():
        raise TacitError("Ratings must be a table of raters by units, each a finite number or NaN for a missing one.")
    values = np.unique(table[~np.isnan(table)])
    counts = np.stack([(table == value).sum(axis=0) for value in values], axis=1) if values.size else np.empty((0, 0))
    pairable = counts[counts.sum(axis=1) >= 2].astype(np.float64)
    if len(pairable) == 0:
        raise TacitError(
            "No unit was rated by two raters or more, so agreement cannot be computed: add a second rater."
        )
    return pairable, values


def _alphas(weights: Floats, counts: Floats, values: Floats, level: Level) -> Floats:
    """Alpha of each row of weights, where unit u counts weights[row, u] times."""
    margins = weights @ counts
    total = margins.sum(axis=1)
    if level == "nominal":
        observed, expected = _unequal(counts)[None], _unequal(margins)
    else:
        # The ordinal distance is the distance of the mid-ranks of the margins, so both levels are squared distances.
        ranks = np.cumsum(margins, axis=1) - margins / 2
        scores = ranks if level == "ordinal" else (values - values.mean())[None]
        observed, expected = _square_distances(scores, counts), _square_distances_of_rows(scores, margins)
    per_unit = weights * observed / (counts.sum(axis=1) - 1)
    varied = (margins > 0).sum(axis=1) > 1
    alphas: Floats = 1 - (total - 1) * per_unit.sum(axis=1) / np.where(varied, expected, np.nan)
    return alphas


def _unequal(counts: Floats) -> Floats:
    """Σ_{c≠k} n_c n_k of each row."""
    unequal: Floats = counts.sum(axis=1) ** 2 - (counts**2).sum(axis=1)
    return unequal


def _square_distances(scores: Floats, counts: Floats) -> Floats:
    """Σ_ck n_uc n_uk (s_c − s_k)² = 2 (m_u Σ_c n_uc s_c² − (Σ_c n_uc s_c)²) for each row of scores and each unit u."""
    distances: Floats = 2 * (counts.sum(axis=1) * (scores**2 @ counts.T) - (scores @ counts.T) ** 2)
    return distances


def _square_distances_of_rows(scores: Floats, margins: Floats) -> Floats:
    """The same sum for the margins of each row with that row's scores."""
    squares, sums = (margins * scores**2).sum(axis=1), (margins * scores).sum(axis=1)
    distances: Floats = 2 * (margins.sum(axis=1) * squares - sums**2)
    return distances
