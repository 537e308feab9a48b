"""Whether a run can be interpreted: can the classifier do the task of the texts?"""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables, Validity
from tacit.methods.prefix.quality import BALANCED, TEXTS_ALONE
from tacit.numbers import interval_text

__all__ = ["judge_validity"]


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if the texts alone are labeled clearly better than by chance."""
    about = tables["about"].row(0, named=True)
    if about["texts"] > 1 and about["labels_given"] == 1:
        return Validity("none", "it gives all texts the same label")
    if about["true_labels"] < 2:
        missing = "no true labels" if about["true_labels"] == 0 else "all the same true label"
        return Validity("weak", f"the texts have {missing}, so nothing shows that it can label them")
    control = (pl.col("measure") == BALANCED) & (pl.col("group") == TEXTS_ALONE)
    row = tables["measures"].filter(control).row(0, named=True)
    chance = row["neutral"]
    share = interval_text(row["value"], row["low"], row["high"], percent=True)
    numbers = f"balanced accuracy {share}, {chance:.0%} = chance"
    if row["low"] is None or row["low"] <= chance:
        return Validity("none", f"it labels the texts no better than by chance ({numbers})")
    # Halfway between chance and no error.
    if row["value"] < (1 + chance) / 2:
        return Validity("weak", f"it labels many texts wrong even without a region ({numbers})")
    return Validity()
