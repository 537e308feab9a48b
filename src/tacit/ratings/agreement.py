"""How far the raters agree, and which tokens they dispute."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tacit.ratings.rating import Rating, token_key
from tacit.statistics import Interval, krippendorff_interval

__all__ = ["agreement", "disputed"]

_DISPUTED = {"sentence": pl.String, "token": pl.String, "raters": pl.Int64, "spread": pl.Float64, "scores": pl.String}


def agreement(
    ratings: Sequence[Rating], *, resamples: int = 10_000, confidence: float = 0.95, seed: int = 0
) -> Interval | None:
    """Krippendorff's alpha (ordinal) over the tokens that two raters or more have rated; None where there are none."""
    units = sorted({(rating.sentence, token_key(rating.token)) for rating in ratings})
    raters = sorted({rating.rater for rating in ratings})
    rows, columns = {rater: i for i, rater in enumerate(raters)}, {unit: i for i, unit in enumerate(units)}
    table = np.full((len(raters), len(units)), np.nan)
    for rating in ratings:
        table[rows[rating.rater], columns[rating.sentence, token_key(rating.token)]] = rating.score
    if not ((~np.isnan(table)).sum(axis=0) > 1).any():
        return None
    return krippendorff_interval(table, "ordinal", resamples=resamples, confidence=confidence, seed=seed)


def disputed(ratings: Sequence[Rating]) -> pl.DataFrame:
    """The tokens on which raters differ, the widest spread first, with who said what."""
    table = pl.DataFrame(
        {
            "sentence": [rating.sentence for rating in ratings],
            "token": [token_key(rating.token) for rating in ratings],
            "score": [rating.score for rating in ratings],
            "said": [f"{rating.rater} {rating.score:g}" for rating in ratings],
        },
        schema={"sentence": pl.String, "token": pl.String, "score": pl.Float64, "said": pl.String},
    )
    return (
        table.group_by("sentence", "token")
        .agg(
            raters=pl.len().cast(pl.Int64),
            spread=pl.col("score").max() - pl.col("score").min(),
            scores=pl.col("said").sort().str.join(", "),
        )
        .filter(pl.col("spread") > 0)
        .sort(["spread", "sentence", "token"], descending=[True, False, False])
        .select(pl.col(name).cast(kind) for name, kind in _DISPUTED.items())
    )
