"""How far models, and the two sentiment tests, agree on which neutral words lean (Garg et al. 2022, section 4.3 f.)."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.formulas import overlap, shared_by_two, top_and_bottom
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.statistics import Correlation, correlation

__all__ = ["between_models", "between_tests", "rank_agreement"]

_STRENGTH = {"association": "effect", "shift": "q"}


def between_models(runs: Mapping[str, Tables]) -> pl.DataFrame:
    """For each side, how many neutral words a model finds leaning, and the share that two models or more find."""
    rows = []
    for side in (POSITIVE, NEGATIVE):
        named = [_leaning(tables, side) for tables in runs.values()]
        every = set().union(*named)
        rows.append({"side": side, "words": len(every), "shared": shared_by_two(named)})
    return pl.DataFrame(rows, schema={"side": pl.String, "words": pl.Int64, "shared": pl.Float64})


def between_tests(association: Tables, shift: Tables, size: int = 50) -> pl.DataFrame:
    """For each side of one model: how many of one test's words the other finds, and the strongest against the weakest.

    `top` and `bottom` are the shares of the `size` strongest and weakest words of the shift test that the association
    test finds on the same side.
    """
    rows = []
    for side in (POSITIVE, NEGATIVE):
        by_association, by_shift = _leaning(association, side), _leaning(shift, side)
        strength = {word: abs(q) for word, q in _neutral(shift).select("word", "q").iter_rows() if word in by_shift}
        top, bottom = top_and_bottom(strength, by_association, size)
        found = {"association_in_shift": overlap(by_association, by_shift), "top": top, "bottom": bottom}
        rows.append({"side": side, "association": len(by_association), "shift": len(by_shift), **found})
    shares = dict.fromkeys(("association_in_shift", "top", "bottom"), pl.Float64)
    return pl.DataFrame(rows, schema={"side": pl.String, "association": pl.Int64, "shift": pl.Int64, **shares})


def rank_agreement(
    first: tuple[str, Tables], second: tuple[str, Tables], *, resamples: int = 1_000, seed: int = 0
) -> Correlation | None:
    """Spearman's correlation over the neutral words that both have, each given as (method, tables)."""
    (one, left), (other, right) = first, second
    pairs = (
        _neutral(left)
        .select("word", x=_STRENGTH[one])
        .join(_neutral(right).select("word", y=_STRENGTH[other]), on="word", maintain_order="left")
    )
    if pairs.height < 3:
        return None
    return correlation(pairs["x"].to_numpy(), pairs["y"].to_numpy(), resamples=resamples, seed=seed)


def _neutral(tables: Tables) -> pl.DataFrame:
    return tables["words"].filter(pl.col("polarity") == NEUTRAL)


def _leaning(tables: Tables, side: str) -> set[str]:
    return set(_neutral(tables).filter(pl.col("leaning") == side)["word"])
