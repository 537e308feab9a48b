"""What explains accuracy: intensity and frequency, separately and in one regression; and how categories differ."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from tacit.methods.base import FEW_UNITS, MeasureRow, Settings, measure_row, plural
from tacit.methods.contrast.formulas import Floats, standardized_coefficients
from tacit.methods.contrast.items import word_table
from tacit.methods.contrast.materials import FEWEST_UNITS, WITH, WITHOUT, ContrastMaterials
from tacit.methods.contrast.means import MEASURES, measure_name
from tacit.methods.contrast.verdicts import ALL_ITEMS, DIFFERS, RELATES, judge
from tacit.statistics import Interval, bootstrap, correlation, permutation_test
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
            _correlation_row(materials.noun, settings, words, predictor, group, context)
            for predictor, group in _predictors_and_groups(materials)
        ]
        rows += judge([row for row in correlations if row is not None], RELATES)
        rows += _regression_rows(materials.noun, settings, words.drop_nulls(["intensity", "acc"]), context)
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
            rows += judge([_difference_row(materials.noun, settings, values, pair, name) for pair in pairs], DIFFERS)
    return rows


def _predictors_and_groups(materials: ContrastMaterials) -> list[tuple[str, str]]:
    categories = materials.categories if len(materials.categories) > 1 else ()
    everywhere = [("intensity", ALL_ITEMS), ("frequency", ALL_ITEMS)]
    return everywhere + [("intensity", category) for category in categories]


def _correlation_row(
    noun: str, settings: Settings, words: pl.DataFrame, predictor: str, group: str, context: str
) -> MeasureRow | None:
    of_group = words if group == ALL_ITEMS else words.filter(pl.col("category") == group)
    pairs = of_group.select("acc", predictor).drop_nulls()
    if pairs.height < FEWEST_UNITS:
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
    return measure_row(
        measure,
        group,
        _or_value(spearman),
        neutral=0.0,
        p=spearman.p,
        unit=noun,
        caution=_caution(pairs["acc"], noun),
    )


def _regression_rows(noun: str, settings: Settings, words: pl.DataFrame, context: str) -> list[MeasureRow]:
    if words.height < FEWEST_UNITS:
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
        if not np.isnan(coefficient.value):
            note = "standardized coefficient"
            row = measure_row(measure, ALL_ITEMS, _or_value(coefficient), neutral=0.0, note=note, unit=noun)
            rows.append({**row, "caution": _caution(words["acc"], noun)})
    return rows


def _coefficient(number: int, columns: Floats) -> Floats:
    """The coefficient of one predictor; the outcome is the first column."""
    coefficient: Floats = standardized_coefficients(columns[..., 0], columns[..., 1:])[..., number]
    return coefficient


def _caution(accuracies: pl.Series, noun: str) -> str | None:
    """Few words, or many of which few differ in accuracy: resampling them says little about others."""
    count = len(accuracies)
    varying = count - int(accuracies.value_counts()["count"].to_numpy().max())
    if count >= FEW_UNITS > varying:
        return f"only {varying} of {count} {plural(noun)} differ from the others"
    return f"only {count} {plural(noun)}" if count < FEW_UNITS else None


def _or_value(interval: Interval) -> Interval | float:
    """The interval, or the bare value where too few resamples are defined."""
    return interval.value if np.isnan(interval.low) else interval


def _difference_row(
    noun: str, settings: Settings, values: dict[str, Floats], pair: tuple[str, str], measure: str
) -> MeasureRow:
    a, b = (values[category] for category in pair)
    # Each category has its own seed; with the same seed, both would draw the same positions.
    means = [
        np.concatenate([counts @ side / side.size for counts in draw_counts(side.size, settings.resamples, seed)])
        for side, seed in ((a, settings.seed), (b, settings.seed + 1))
    ]
    difference = float(a.mean() - b.mean())
    interval = interval_from(difference, means[0] - means[1], a.size + b.size, settings.confidence)
    test = permutation_test(a, b, resamples=settings.resamples, seed=settings.seed)
    few = min(a.size, b.size) < FEW_UNITS
    caution = f"only {a.size} and {b.size} {plural(noun)}" if few else None
    shown = None if interval.low == interval.high else interval
    return measure_row(
        measure,
        f"{pair[0]} − {pair[1]}",
        difference if shown is None else shown,
        neutral=0.0,
        p=test.p,
        unit=noun,
        caution=caution,
    )
