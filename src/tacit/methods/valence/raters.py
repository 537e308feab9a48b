"""Beta by rater: how far the result depends on who rated."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from tacit.methods.valence.groups import Groups
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.scoring import score_words
from tacit.methods.valence.settings import ValenceSettings

__all__ = ["rater_table"]

_COLUMNS = ("group", "value", "low", "high", "n", "caution")


def rater_table(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> pl.DataFrame:
    """Beta of each group with the scores of each rater alone: `rater`, `group`, `value`, `low`, `high`, `n`, `rated`.

    `rated` is the share of the fillings' probability that the rater scored; the interval spans what the rest could be.
    """
    rows = []
    for rater in sorted({rating.rater for rating in materials.ratings}):
        alone = replace(materials, ratings=tuple(rating for rating in materials.ratings if rating.rater == rater))
        scores = score_words(alone, settings, answers)
        rated = dict(scores.sentences.group_by("group").agg(pl.mean("rated")).iter_rows())
        for row in Groups(alone, settings, scores).rows():
            if row["measure"] == "beta" and row["group"] in rated:
                rows.append({"rater": rater, **{name: row[name] for name in _COLUMNS}, "rated": rated[row["group"]]})
    table = pl.DataFrame(rows, schema_overrides={"value": pl.Float64, "caution": pl.String})
    return table.with_columns(pl.col(pl.Float64).fill_nan(None))
