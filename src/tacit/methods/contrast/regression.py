"""The item-level regression: what the rank difference depends on, with intervals over words and what follows them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.special import stdtrit

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.formulas import Floats, cluster_variances, least_squares
from tacit.methods.contrast.materials import FEWEST_UNITS, WITH, ContrastMaterials
from tacit.methods.contrast.verdicts import ALL_ITEMS
from tacit.statistics import Interval, jackknife_interval

__all__ = ["OUTCOMES", "regression_rows"]

OUTCOMES = {"log diff": "logarithms of ranks (base e)", "diff": "ranks"}
"""The outcomes with their units: a few large ranks carry diff, so the difference of the logarithms comes first."""
_UNITS = ("word", "frame", "item")
_SKEWED = "a few large ranks carry it, so the interval is rough"


def regression_rows(materials: ContrastMaterials, settings: Settings, items: pl.DataFrame) -> list[MeasureRow]:
    """Coefficients of the rank difference on bigram frequency, context and category, over items in both contexts.

    An item counts once per context. Items of one word err together, and so do items before one adjective: the interval
    leaves out one word at a time, and adds what items before the same adjective share.
    """
    rows = _with_predictors(materials, items)
    words = rows["word"].n_unique()
    if words < FEWEST_UNITS:
        return []
    predictors = _predictors(materials, rows)
    matrix = _matrix(predictors)
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return []
    return [row for outcome in OUTCOMES for row in _outcome_rows(materials, settings, rows, outcome, predictors)]


def _outcome_rows(
    materials: ContrastMaterials, settings: Settings, rows: pl.DataFrame, outcome: str, predictors: dict[str, Floats]
) -> Iterator[MeasureRow]:
    matrix, values = _matrix(predictors), rows[outcome].to_numpy()
    whole = least_squares(values, matrix)
    words, frames, items = (rows[name].rank("dense").to_numpy().astype(np.int64) - 1 for name in _UNITS)
    left_out = np.array([least_squares(values[words != code], matrix[words != code]) for code in np.unique(words)])
    # What sentences with the same following word share, beyond what they share as sentences of one word.
    shared = cluster_variances(values, matrix, frames) - cluster_variances(values, matrix, items)
    note = f"in {OUTCOMES[outcome]}, over {len(rows):,} answers; positive: the rival gains"
    for place, name in enumerate(predictors, start=1):
        interval = _interval(float(whole[place]), left_out[:, place], float(shared[place]), settings.confidence)
        row = measure_row(f"{outcome} ~ {name}", ALL_ITEMS, interval, neutral=0.0, unit=materials.noun, note=note)
        yield row | {"caution": _SKEWED if outcome == "diff" else row["caution"]}


def _interval(value: float, left_out: Floats, shared: float, confidence: float) -> Interval:
    """value ± t sqrt(V), V = V_words (jackknife) + V_frames - V_items, at least V_words, t with the words' degrees."""
    words = jackknife_interval(value, left_out, confidence=confidence)
    reach = float(stdtrit(words.degrees, (1 + confidence) / 2)) * math.sqrt(words.error**2 + max(0.0, shared))
    return Interval(value, value - reach, value + reach, confidence, words.n, "crossed")


def _matrix(predictors: dict[str, Floats]) -> Floats:
    columns = list(predictors.values())
    return np.column_stack([np.ones(len(columns[0])), *columns])


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
