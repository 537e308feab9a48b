"""What explains accuracy: intensity and frequency, apart and in one regression; and how categories differ."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.formulas import Floats, standardised_coefficients
from tacit.methods.contrast.items import WITH, WITHOUT
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.measures import ALL, FEWEST_WORDS, MEASURES, named, settled
from tacit.statistics import Interval, bootstrap, correlation, holm, permutation_test
from tacit.statistics.intervals import interval_from
from tacit.statistics.resampling import draw_counts

__all__ = ["category_rows", "explanation_rows"]


def explanation_rows(materials: ContrastMaterials, settings: Settings, means: pl.DataFrame) -> list[MeasureRow]:
    """Spearman's correlation of a word's accuracy with its intensity and its frequency, then both in one regression.

    The unit is the word. The p-values of one context's correlations are one family, corrected by Holm.
    """
    rows: list[MeasureRow] = []
    for context in (WITH, WITHOUT):
        words = _words(materials, means, context)
        found = [_correlation(settings, words, what, group, context) for what, group in _asked(materials)]
        tested = [row for row in found if row is not None]
        rows += _corrected(tested)
        rows += _regression(settings, words.drop_nulls(["intensity", "acc"]), context)
    return rows


def category_rows(materials: ContrastMaterials, settings: Settings, means: pl.DataFrame) -> list[MeasureRow]:
    """Differences between categories: words are the units, both resampled (interval) and shuffled (p, Holm)."""
    rows: list[MeasureRow] = []
    for context in (WITH, WITHOUT):
        for measure in MEASURES:
            of_context = means.filter((pl.col("context") == context) & pl.col(measure).is_not_null())
            values = {
                category: of_context.filter(pl.col("category") == category)[measure].to_numpy()
                for category in materials.categories
            }
            pairs = [pair for pair in combinations(values, 2) if min(values[name].size for name in pair) > 1]
            found = [_difference(settings, values, pair, f"{named(measure, context)} difference") for pair in pairs]
            rows += _corrected(found)
    return rows


def _asked(materials: ContrastMaterials) -> list[tuple[str, str]]:
    within = [("intensity", category) for category in materials.categories] if len(materials.categories) > 1 else []
    return [("intensity", ALL), ("frequency", ALL), *within]


def _words(materials: ContrastMaterials, means: pl.DataFrame, context: str) -> pl.DataFrame:
    words = materials.words.values()
    known = pl.DataFrame(
        {
            "word": [word.name for word in words],
            "intensity": [word.intensity for word in words],
            "frequency": [word.frequency for word in words],
        },
        schema={"word": pl.String, "intensity": pl.Float64, "frequency": pl.Float64},
    )
    return means.filter(pl.col("context") == context).join(known, on="word", maintain_order="left")


def _correlation(settings: Settings, words: pl.DataFrame, what: str, group: str, context: str) -> MeasureRow | None:
    within = words if group == ALL else words.filter(pl.col("category") == group)
    pairs = within.select("acc", what).drop_nulls()
    if pairs.height < FEWEST_WORDS:
        return None
    found = correlation(
        pairs[what].to_numpy(),
        pairs["acc"].to_numpy(),
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )
    if np.isnan(found.value):
        return None
    return measure_row(f"{named('acc', context)} ~ {what}", group, settled(found), neutral=0.0, p=found.p)


def _regression(settings: Settings, words: pl.DataFrame, context: str) -> list[MeasureRow]:
    if words.height < FEWEST_WORDS:
        return []
    columns = words.select("acc", "intensity", "frequency").to_numpy()
    rows: list[MeasureRow] = []
    for number, (what, other) in enumerate((("intensity", "frequency"), ("frequency", "intensity"))):
        found = bootstrap(
            columns,
            partial(_coefficient, number),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        measure = f"{named('acc', context)} ~ {what} beyond {other}"
        rows.append(measure_row(measure, ALL, settled(found), neutral=0.0, note="standardised coefficient"))
    return [row for row in rows if row["value"] is not None]


def _coefficient(number: int, drawn: Floats) -> Floats:
    found: Floats = standardised_coefficients(drawn[..., 0], drawn[..., 1:])[..., number]
    return found


def _corrected(rows: list[MeasureRow]) -> list[MeasureRow]:
    adjusted = holm(np.array([row["p"] for row in rows], dtype=np.float64)) if rows else np.empty(0)
    return [{**row, "p_adjusted": float(p)} for row, p in zip(rows, adjusted, strict=True)]


def _difference(settings: Settings, values: dict[str, Floats], pair: tuple[str, str], measure: str) -> MeasureRow:
    a, b = (values[name] for name in pair)
    # The two categories are drawn from different seeds: the same one would draw the same places in both.
    means = [
        np.concatenate([counts @ side / side.size for counts in draw_counts(side.size, settings.resamples, seed)])
        for side, seed in ((a, settings.seed), (b, settings.seed + 1))
    ]
    value = float(a.mean() - b.mean())
    found: Interval = interval_from(value, means[0] - means[1], a.size + b.size, settings.confidence)
    test = permutation_test(a, b, resamples=settings.resamples, seed=settings.seed)
    return measure_row(measure, f"{pair[0]} − {pair[1]}", found, neutral=0.0, p=test.p)
