"""The result of the hierarchy method in a few sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.hierarchy.headline import C_W, MEAN_OF_TOPS, SHUFFLED

__all__ = ["summarize"]

_SIGNIFICANT = 0.05


def summarize(tables: Tables, model: str) -> list[str]:
    """The overall C_w, the ranking of the top regions and its stability, and the comparison with shuffled trees."""
    return [_overall(tables, model), _ranking(tables), *_shuffled(tables)]


def _overall(tables: Tables, model: str) -> str:
    row = tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)
    if row["value"] is None:
        return f"{model}: there is no overall C_w, because too few regions have two or more parts."
    return (
        f"{model}: overall C_w is {row['value']:.4g} [{row['low']:.4g}, {row['high']:.4g}], resampling the "
        f"{row['n']} words (0 = all regions are described alike)."
    )


def _ranking(tables: Tables) -> str:
    ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
    if ranking.is_empty():
        return "There is no ranking, because no top region has a C_w."
    names = ", ".join(ranking["group"].head(6))
    return (
        f"Top regions from the most to the least differently described parts: {names}. {ranking['group'][0]} ranks "
        f"first in {ranking['first'][0]:.0%} of the resamples."
    )


def _shuffled(tables: Tables) -> list[str]:
    """Nothing where the tree is too small to shuffle; a direction only where the permutation test finds one."""
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") == MEAN_OF_TOPS))
    if rows.is_empty():
        return []
    row = rows.row(0, named=True)
    direction = "less" if row["value"] < row["neutral"] else "more"
    verdict = f"differ {direction} than" if row["p"] < _SIGNIFICANT else "do not differ significantly more or less than"
    return [
        f"The parts of a top region {verdict} parts assigned to it at random "
        f"(mean C_w {row['value']:.4g} against {row['neutral']:.4g}, p = {row['p']:.3g})."
    ]
