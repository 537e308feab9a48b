"""From answers to tables: HERB's Tables 4 and 5 with intervals; texts are resampled, each with all its regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.prefix.answers import Predictions, read_answers
from tacit.methods.prefix.formulas import Floats, accuracy, confusion, label_changes, macro_f1, rise_and_fall
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.methods.prefix.settings import PrefixSettings
from tacit.statistics import Interval, bootstrap, bootstrap_many

__all__ = ["ALL_REGIONS", "CHANGED", "compute_measures"]

# Names of measures and groups, as the measures table has them.
ALL_REGIONS, TEXTS_ALONE, CHANGED = "all regions", "texts alone", "label changed"


def compute_measures(materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Tables:
    """Compute all tables: `measures`, and `regions` with one row per region (Table 4's columns)."""
    predictions = read_answers(materials, settings, answers)
    rows = [
        *_change_rows(predictions, settings),
        *_quality_rows(predictions, settings),
        *_item_rows(materials, predictions, settings),
    ]
    return {"measures": measures_table(rows), "regions": _region_table(materials, predictions)}


def _change_rows(predictions: Predictions, settings: PrefixSettings) -> Iterator[MeasureRow]:
    """Averages over regions come first, text by text, because texts are what is resampled."""
    before, after, shift = predictions.before, predictions.after, predictions.shift
    columns = {CHANGED: (after != before).mean(axis=0)}
    for (a, first), (b, second) in permutations(enumerate(predictions.labels), 2):
        columns[f"{first} → {second}"] = ((before == a) & (after == b)).mean(axis=0)
    target = predictions.labels[predictions.target]
    columns[f"change in probability of {target}"] = shift.mean(axis=0)
    directions = {
        f"texts in which {target} rises": (shift > 0).mean(axis=0),
        f"texts in which {target} falls": (shift < 0).mean(axis=0),
    }
    intervals = _mean_intervals(np.column_stack([*columns.values(), *directions.values()]), settings)
    for measure, interval in zip([*columns, *directions], intervals, strict=True):
        yield measure_row(measure, ALL_REGIONS, interval, neutral=0.5 if measure in directions else 0.0)


def _quality_rows(predictions: Predictions, settings: PrefixSettings) -> Iterator[MeasureRow]:
    gold, labels = predictions.gold, len(predictions.labels)
    if gold is None:
        return
    for group, predicted in ((TEXTS_ALONE, predictions.before[None]), (ALL_REGIONS, predictions.after)):
        correct = (predicted == gold).mean(axis=0)
        yield measure_row("accuracy", group, _mean_intervals(correct[:, None], settings)[0])
        per_text = confusion(gold[:, None], np.moveaxis(predicted, 0, -1), labels).reshape(len(gold), -1)
        interval = bootstrap(
            per_text,
            lambda resampled: macro_f1(resampled.sum(axis=1).reshape(-1, labels, labels)),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        yield measure_row("macro F1", group, interval)


def _item_rows(materials: PrefixMaterials, predictions: Predictions, settings: PrefixSettings) -> Iterator[MeasureRow]:
    """The share of changed labels of each region: the items that `tacit compare` pairs."""
    changed = (predictions.after != predictions.before).mean(axis=-1)
    for region, share in zip(materials.regions, changed.tolist(), strict=True):
        yield measure_row(CHANGED, settings.level, share, item=region.key, neutral=0.0)


def _mean_intervals(columns: Floats, settings: PrefixSettings) -> list[Interval]:
    """The mean of each column over texts, with its interval; columns are (texts, columns)."""
    return bootstrap_many(columns, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed)


def _region_table(materials: PrefixMaterials, predictions: Predictions) -> pl.DataFrame:
    tree, regions = materials.tree, materials.regions
    before, after, target = predictions.before, predictions.after, predictions.target
    moves = rise_and_fall(predictions.alone[..., target], predictions.prefixed[..., target])
    shares = label_changes(before, after, len(predictions.labels))
    table: dict[str, object] = {
        "region": [region.key for region in regions],
        "name": [region.name for region in regions],
        "top": [tree.regions[i].name for i in tree.top_of[list(materials.indices)].tolist()],
        "code": [region.code for region in regions],
        "target": [predictions.labels[target]] * len(regions),
        "changed": (after != before).mean(axis=-1),
        "change": predictions.shift.mean(axis=-1),
        "risen": moves.risen,
        "rise": pl.Series(moves.rise).fill_nan(None),
        "fallen": moves.fallen,
        "fall": pl.Series(moves.fall).fill_nan(None),
    }
    for (a, first), (b, second) in permutations(enumerate(predictions.labels), 2):
        table[f"{first} → {second}"] = shares[..., a, b]
    if predictions.gold is not None:
        table["accuracy"] = accuracy(predictions.gold, after)
        table["macro_f1"] = macro_f1(confusion(predictions.gold, after, len(predictions.labels)))
    return pl.DataFrame(table)
