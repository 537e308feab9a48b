"""What explains accuracy: intensity and frequency, separately and in one regression; and how categories differ."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.formulas import Floats, standardized_coefficients
from tacit.methods.contrast.items import word_table
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials
from tacit.methods.contrast.means import ALL_ITEMS, FEWEST_WORDS, MEASURES, measure_name, table_interval
from tacit.statistics import bootstrap, correlation, holm, permutation_test
from tacit.statistics.intervals import interval_from
from tacit.statistics.resampling import draw_counts

__all__ = ["category_rows", "explanation_rows"]


def explanation_rows(materials: ContrastMaterials, settings: Settings, means: pl.DataFrame) -> list[MeasureRow]:
    """Spearman's correlation of a word's accuracy with its intensity and its frequency, then both in one regression.

    The unit is the word. The p-values of the correlations in one context are corrected as one family (Holm).
    """
    known = word_table(materials).select("word", "intensity", "frequency")
    rows: list[MeasureRow] = []
    for context in (WITH, WITHOUT):
        words = means.filter(pl.col("context") == context).join(known, on="word", maintain_order="left")
        correlations = [
            _correlation_row(settings, words, predictor, group, context)
            for predictor, group in _predictors_and_groups(materials)
        ]
        rows += _with_holm([row for row in correlations if row is not None])
        rows += _regression_rows(settings, words.drop_nulls(["intensity", "acc"]), context)
    return rows


def category_rows(materials: ContrastMaterials, settings: Settings, means: pl.DataFrame) -> list[MeasureRow]:
    """Differences between categories; words are resampled for the interval and shuffled for p (Holm)."""
    rows: list[MeasureRow] = []
    for context in (WITH, WITHOUT):
        for measure in MEASURES:
            defined = means.filter((pl.col("context") == context) & pl.col(measure).is_not_null())
            values = {
                category: defined.filter(pl.col("category") == category)[measure].to_numpy()
                for category in materials.categories
            }
            pairs = [pair for pair in combinations(values, 2) if min(values[name].size for name in pair) > 1]
            name = f"{measure_name(measure, context)} difference"
            rows += _with_holm([_difference_row(settings, values, pair, name) for pair in pairs])
    return rows


def _predictors_and_groups(materials: ContrastMaterials) -> list[tuple[str, str]]:
    categories = materials.categories if len(materials.categories) > 1 else ()
    everywhere = [("intensity", ALL_ITEMS.name), ("frequency", ALL_ITEMS.name)]
    return everywhere + [("intensity", category) for category in categories]


def _correlation_row(
    settings: Settings, words: pl.DataFrame, predictor: str, group: str, context: str
) -> MeasureRow | None:
    of_group = words if group == ALL_ITEMS.name else words.filter(pl.col("category") == group)
    pairs = of_group.select("acc", predictor).drop_nulls()
    if pairs.height < FEWEST_WORDS:
        return None
    spearman = correlation(
        pairs[predictor].to_numpy(),
        pairs["acc"].to_numpy(),
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )
    if np.isnan(spearman.value):
        return None
    measure = f"{measure_name('acc', context)} ~ {predictor}"
    return measure_row(measure, group, table_interval(spearman), neutral=0.0, p=spearman.p)


def _regression_rows(settings: Settings, words: pl.DataFrame, context: str) -> list[MeasureRow]:
    if words.height < FEWEST_WORDS:
        return []
    columns = words.select("acc", "intensity", "frequency").to_numpy()
    rows: list[MeasureRow] = []
    for number, (predictor, control) in enumerate((("intensity", "frequency"), ("frequency", "intensity"))):
        coefficient = bootstrap(
            columns,
            partial(_coefficient, number),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        measure = f"{measure_name('acc', context)} ~ {predictor} beyond {control}"
        note = "standardised coefficient"
        rows.append(measure_row(measure, ALL_ITEMS.name, table_interval(coefficient), neutral=0.0, note=note))
    return [row for row in rows if row["value"] is not None]


def _coefficient(number: int, columns: Floats) -> Floats:
    """The coefficient of one predictor; the outcome is the first column."""
    coefficient: Floats = standardized_coefficients(columns[..., 0], columns[..., 1:])[..., number]
    return coefficient


def _with_holm(rows: list[MeasureRow]) -> list[MeasureRow]:
    adjusted = holm(np.array([row["p"] for row in rows], dtype=np.float64)) if rows else np.empty(0)
    return [{**row, "p_adjusted": float(p)} for row, p in zip(rows, adjusted, strict=True)]


def _difference_row(settings: Settings, values: dict[str, Floats], pair: tuple[str, str], measure: str) -> MeasureRow:
    a, b = (values[category] for category in pair)
    # Each category has its own seed; with the same seed, both would draw the same positions.
    means = [
        np.concatenate([counts @ side / side.size for counts in draw_counts(side.size, settings.resamples, seed)])
        for side, seed in ((a, settings.seed), (b, settings.seed + 1))
    ]
    difference = float(a.mean() - b.mean())
    interval = interval_from(difference, means[0] - means[1], a.size + b.size, settings.confidence)
    test = permutation_test(a, b, resamples=settings.resamples, seed=settings.seed)
    return measure_row(measure, f"{pair[0]} − {pair[1]}", interval, neutral=0.0, p=test.p)
