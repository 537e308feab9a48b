"""The result of the prefix method in one sentence."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.prefix.measures import ALL_REGIONS, CHANGED

__all__ = ["summarize"]

_NAMED_REGIONS = 3


def summarize(tables: Tables, model: str) -> list[str]:
    """How many labels changed, and for which regions most."""
    changed = (pl.col("measure") == CHANGED) & (pl.col("group") == ALL_REGIONS)
    row = tables["measures"].filter(changed).row(0, named=True)
    regions = tables["regions"].sort("changed", descending=True).select("name", "changed")
    highest = ", ".join(f"{name} ({share:.1%})" for name, share in regions.head(_NAMED_REGIONS).iter_rows())
    return [
        f"{model}: naming a region changes {row['value']:.2%} [{row['low']:.2%}, {row['high']:.2%}] of the labels, on "
        f"average over {len(regions)} regions and resampling the {row['n']} texts; highest for {highest}."
    ]
