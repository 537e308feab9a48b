"""Every claim that the summary could make, and whether it holds."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables, Verdict
from tacit.methods.hierarchy.headline import HIGHEST, MEAN_OF_TOPS, SHUFFLED, SIGNIFICANT, UNDECIDED

__all__ = ["list_verdicts"]


def list_verdicts(tables: Tables) -> list[Verdict]:
    """Three families: the grouping as a whole, each top region (Holm), and which top region has the highest C_w."""
    measures = tables["measures"].filter(pl.col("item").is_null())
    verdicts = []
    for row in measures.filter(pl.col("measure").is_in([SHUFFLED, HIGHEST])).iter_rows(named=True):
        holds = row["verdict"] not in (None, UNDECIDED)
        if row["measure"] == HIGHEST:
            claim = Verdict("one top region has the highest C_w", holds, "highest", error=SIGNIFICANT)
        elif row["group"] == MEAN_OF_TOPS:
            claim = Verdict("the grouping matters", holds, "grouping", error=SIGNIFICANT)
        else:
            claim = Verdict(f"the grouping matters ({row['group']})", holds, "top regions", "holm", SIGNIFICANT)
        verdicts.append(claim)
    return verdicts
