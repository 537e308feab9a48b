"""How well the raters agree, and which tokens they score differently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tacit.ratings.rating import Rating
from tacit.statistics import Interval, krippendorff_interval

__all__ = ["agreement", "disputed_tokens"]

_DISPUTED = {"sentence": pl.String, "token": pl.String, "raters": pl.Int64, "spread": pl.Float64, "scores": pl.String}


def agreement(
    ratings: Sequence[Rating], *, resamples: int = 10_000, confidence: float = 0.95, seed: int = 0
) -> Interval | None:
    """Krippendorff's alpha (ordinal) with its interval.

    Args:
        ratings: All ratings of one probe.
        resamples: How many bootstrap resamples of the tokens the interval is based on.
        confidence: The coverage of the interval.
        seed: Of the resampling.

    Returns:
        Alpha, with `n` the number of tokens that two or more raters scored; None if there is no such token.
    """
    if len({rating.rater for rating in ratings}) < 2:
        return None
    units = {unit: column for column, unit in enumerate(sorted({rating.key for rating in ratings}))}
    raters = {rater: row for row, rater in enumerate(sorted({rating.rater for rating in ratings}))}
    scores = np.full((len(raters), len(units)), np.nan)
    for rating in ratings:
        scores[raters[rating.rater], units[rating.key]] = rating.score
    if not ((~np.isnan(scores)).sum(axis=0) > 1).any():
        return None
    return krippendorff_interval(scores, "ordinal", resamples=resamples, confidence=confidence, seed=seed)


def disputed_tokens(ratings: Sequence[Rating]) -> pl.DataFrame:
    """Tokens that were scored differently: one row per sentence and token, the widest spread first.

    Returns:
        The columns `sentence`, `token`, `raters` (how many), `spread` (highest minus lowest score), and `scores`
        ("ann 0.5, bob -0.5").
    """
    table = pl.DataFrame(
        [(*rating.key, rating.score, f"{rating.rater} {rating.score:g}") for rating in ratings],
        schema={"sentence": pl.String, "token": pl.String, "score": pl.Float64, "label": pl.String},
        orient="row",
    )
    return (
        table.group_by("sentence", "token")
        .agg(
            raters=pl.len().cast(pl.Int64),
            spread=pl.col("score").max() - pl.col("score").min(),
            scores=pl.col("label").sort().str.join(", "),
        )
        .filter(pl.col("spread") > 0)
        .sort(["spread", "sentence", "token"], descending=[True, False, False])
        .select(pl.col(name).cast(kind) for name, kind in _DISPUTED.items())
    )
