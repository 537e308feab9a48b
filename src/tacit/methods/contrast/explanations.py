"""What explains accuracy: intensity and frequency, separately and in one regression; and how categories differ."""

from __future__ import annotations

from collections.abc import Iterator
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
        measure = measure_name("acc", context)
        rows += judge([*_correlation_rows(materials, settings, words, measure)], RELATES)
        rows += _regression_rows(materials, settings, words.drop_nulls(["intensity", "acc"]), measure)
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
            differences = [
                _difference_row(settings, materials.noun, values[a], values[b])
                | {"measure": name, "group": f"{a} − {b}"}
                for a, b in pairs
            ]
            rows += judge(differences, DIFFERS)
    return rows


def _correlation_rows(
    materials: ContrastMaterials, settings: Settings, words: pl.DataFrame, measure: str
) -> Iterator[MeasureRow]:
    for predictor, group in _predictors_and_groups(materials):
        of_group = words if group == ALL_ITEMS else words.filter(pl.col("category") == group)
        pairs = of_group.select("acc", predictor).drop_nulls()
        if pairs.height < FEWEST_UNITS:
            continue
        spearman = correlation(
            pairs[predictor].to_numpy(),
            pairs["acc"].to_numpy(),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        if not np.isnan(spearman.value):
            row = measure_row(f"{measure} ~ {predictor}", group, _or_value(spearman), neutral=0.0, p=spearman.p)
            yield row | {"unit": materials.noun, "caution": _caution(pairs["acc"], materials.noun)}


def _predictors_and_groups(materials: ContrastMaterials) -> list[tuple[str, str]]:
    categories = materials.categories if len(materials.categories) > 1 else ()
    everywhere = [("intensity", ALL_ITEMS), ("frequency", ALL_ITEMS)]
    return everywhere + [("intensity", category) for category in categories]


def _regression_rows(
    materials: ContrastMaterials, settings: Settings, words: pl.DataFrame, measure: str
) -> Iterator[MeasureRow]:
    if words.height < FEWEST_UNITS:
        return
    columns = words.select("acc", "intensity", "frequency").to_numpy()
    for number, (predictor, control) in enumerate((("intensity", "frequency"), ("frequency", "intensity"))):
        coefficient = bootstrap(
            columns,
            partial(_coefficient, number),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        if not np.isnan(coefficient.value):
            name, note = f"{measure} ~ {predictor} beyond {control}", "standardized coefficient"
            row = measure_row(name, ALL_ITEMS, _or_value(coefficient), neutral=0.0, note=note)
            yield row | {"unit": materials.noun, "caution": _caution(words["acc"], materials.noun)}


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


def _difference_row(settings: Settings, noun: str, a: Floats, b: Floats) -> MeasureRow:
    # Each category has its own seed; with the same seed, both would draw the same positions.
    means = [
        np.concatenate([counts @ side / side.size for counts in draw_counts(side.size, settings.resamples, seed)])
        for side, seed in ((a, settings.seed), (b, settings.seed + 1))
    ]
    difference = float(a.mean() - b.mean())
    interval = interval_from(difference, means[0] - means[1], a.size + b.size, settings.confidence)
    p = permutation_test(a, b, resamples=settings.resamples, seed=settings.seed).p
    caution = f"only {a.size} and {b.size} {plural(noun)}" if min(a.size, b.size) < FEW_UNITS else None
    # Words that are all alike have an interval of no width, which would look like certainty.
    shown = difference if interval.low == interval.high else interval
    return measure_row("", "", shown, neutral=0.0, p=p, unit=noun, caution=caution)
