"""How far models, and the two tests, agree on which neutral words lean (Garg et al. 2022, sections 4.3 and 4.4)."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.formulas import overlap, shared_by_two, top_and_bottom
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.statistics import Correlation, correlation

__all__ = ["between_models", "between_tests", "neutral_words", "rank_agreement"]


def neutral_words(tables: Tables) -> pl.DataFrame:
    """The rows of the words table for the words under test."""
    return tables["words"].filter(pl.col("polarity") == NEUTRAL)


def between_models(runs: Mapping[str, Tables]) -> pl.DataFrame:
    """How far models agree, one row per direction.

    Args:
        runs: The tables of each model; all of the same test.

    Returns:
        The columns side, words (neutral words that lean to this side in any model) and shared (the share of them that
        lean so in at least two models).
    """
    rows = []
    for side in (POSITIVE, NEGATIVE):
        word_sets = [_leaning_words(tables, side) for tables in runs.values()]
        rows.append({"side": side, "words": len(set().union(*word_sets)), "shared": shared_by_two(word_sets)})
    return pl.DataFrame(rows, schema={"side": pl.String, "words": pl.Int64, "shared": pl.Float64})


def between_tests(association: Tables, shift: Tables, size: int = 50) -> pl.DataFrame:
    """How far the two tests agree about one model, one row per direction.

    Args:
        association: The tables of the association test.
        shift: The tables of the shift test on the same model.
        size: How many of the strongest and of the weakest words of the shift test to look up.

    Returns:
        The columns side, association and shift (how many neutral words lean to this side), association_in_shift (the
        share of the first that the shift test finds too), top and bottom (the shares of the strongest and the weakest
        words of the shift test that the association test finds too).
    """
    rows = []
    for side in (POSITIVE, NEGATIVE):
        by_association, by_shift = _leaning_words(association, side), _leaning_words(shift, side)
        scores = neutral_words(shift).select("word", "q").iter_rows()
        strength = {word: abs(q) for word, q in scores if word in by_shift}
        top, bottom = top_and_bottom(strength, by_association, size)
        shares = {"association_in_shift": overlap(by_association, by_shift), "top": top, "bottom": bottom}
        rows.append({"side": side, "association": len(by_association), "shift": len(by_shift), **shares})
    kinds = dict.fromkeys(("association_in_shift", "top", "bottom"), pl.Float64)
    return pl.DataFrame(rows, schema={"side": pl.String, "association": pl.Int64, "shift": pl.Int64, **kinds})


def rank_agreement(points: pl.DataFrame, *, resamples: int = 1_000, seed: int = 0) -> Correlation | None:
    """Spearman's correlation of the columns x and y, two scores of the same words; None with fewer than three words."""
    if points.height < 3:
        return None
    return correlation(points["x"].to_numpy(), points["y"].to_numpy(), resamples=resamples, seed=seed)


def _leaning_words(tables: Tables, side: str) -> set[str]:
    return set(neutral_words(tables).filter(pl.col("leaning") == side)["word"])
