"""The item-level regression: what the rank difference depends on, with intervals that leave out one word at a time."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.formulas import Floats, least_squares
from tacit.methods.contrast.materials import FEWEST_UNITS, WITH, ContrastMaterials
from tacit.methods.contrast.verdicts import ALL_ITEMS
from tacit.statistics import jackknife_interval

__all__ = ["OUTCOMES", "regression_rows"]

OUTCOMES = {"log diff": "logarithms of ranks (base e)", "diff": "ranks"}
"""The outcomes with their units: a few large ranks carry diff, so the difference of the logarithms comes first."""
_SKEWED = "a few large ranks carry it, so the interval is rough"


def regression_rows(materials: ContrastMaterials, settings: Settings, items: pl.DataFrame) -> list[MeasureRow]:
    """Coefficients of the rank difference on bigram frequency, context and category, over items in both contexts.

    An item counts once per context. Words were sampled, and items of one word err together, so that the interval comes
    of leaving out one word at a time.
    """
    rows = _with_predictors(materials, items)
    words = rows["word"].n_unique()
    if words < FEWEST_UNITS:
        return []
    predictors = _predictors(materials, rows)
    matrix = np.column_stack([np.ones(len(rows)), *predictors.values()])
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return []
    codes = rows["word"].rank("dense").to_numpy() - 1
    found = []
    for outcome, unit in OUTCOMES.items():
        values = rows[outcome].to_numpy()
        whole = least_squares(values, matrix)
        left_out = np.array([least_squares(values[codes != code], matrix[codes != code]) for code in range(words)])
        for place, name in enumerate(predictors, start=1):
            interval = jackknife_interval(float(whole[place]), left_out[:, place], confidence=settings.confidence)
            note = f"in {unit}, over {len(rows):,} answers; positive: the rival gains"
            caution = _SKEWED if outcome == "diff" else None
            row = measure_row(f"{outcome} ~ {name}", ALL_ITEMS, interval, neutral=0.0, unit=materials.noun, note=note)
            found.append(row | {"caution": caution or row["caution"]})
    return found


def _with_predictors(materials: ContrastMaterials, items: pl.DataFrame) -> pl.DataFrame:
    """The items that have a rank difference and counts of their bigrams."""
    known = pl.DataFrame(
        [(item.id, item.bigram, item.rival_bigram) for item in materials.items],
        schema={"item": pl.String, "bigram": pl.Float64, "rival_bigram": pl.Float64},
        orient="row",
    )
    logs = pl.col("rank").log() - pl.col("against_rank").log()
    joined = items.join(known, on="item", maintain_order="left").with_columns(logs.alias("log diff"))
    return joined.drop_nulls(["diff", "bigram", "rival_bigram"])


def _predictors(materials: ContrastMaterials, rows: pl.DataFrame) -> dict[str, Floats]:
    """The columns of the regression: frequencies per factor of ten, context, and categories against the last one."""
    columns = {
        f"frequency of the {materials.noun} before the {materials.frame}": rows["bigram"].to_numpy(),
        f"frequency of the rival before the {materials.frame}": rows["rival_bigram"].to_numpy(),
        "context": (rows["context"] == WITH).cast(pl.Float64).to_numpy(),
    }
    *others, last = materials.categories
    for category in others:
        columns[f"{category} instead of {last}"] = (rows["category"] == category).cast(pl.Float64).to_numpy()
    return {name: column for name, column in columns.items() if np.ptp(column) > 0}
