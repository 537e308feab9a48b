"""From answers to tables: HERB's Tables 4 and 5 with intervals over texts.

Texts are sampled. Regions are not: they are all regions of a level, or the largest, so each text counts with the mean
over its regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.prefix.answers import Predictions, read_answers
from tacit.methods.prefix.baseline import baseline_rows
from tacit.methods.prefix.formulas import (
    accuracy,
    confusion,
    label_changes,
    macro_f1,
    means_without_each,
    rise_and_fall,
)
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.methods.prefix.quality import ALL_REGIONS, TEXT, TEXTS_ALONE, accuracy_change, quality_rows, share_of_texts
from tacit.methods.prefix.regions import RegionEffects
from tacit.methods.prefix.settings import PrefixSettings
from tacit.methods.prefix.verdicts import judge_all_regions
from tacit.statistics import crossed_mean

__all__ = ["CHANGED", "compute_measures", "probability_change"]

# The name of the measure that models are compared by.
CHANGED = "label changed"
NOTHING_LEFT_OUT = "none (mean of all regions)"


def compute_measures(materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Tables:
    """Compute all tables.

    Returns:
        `measures`; `regions`, one row per region (Table 4's columns); `without`, the means over all regions
        but one (Table 5's columns); `about`, what the summary needs to know.
    """
    predictions = read_answers(materials, settings, answers)
    effects = RegionEffects.of(predictions, settings)
    keys = [region.key for region in materials.regions]
    levels = [region.level for region in materials.regions]
    rows = [
        *_share_rows(predictions, settings),
        *judge_all_regions([_change_row(predictions, settings), accuracy_change(predictions, settings.confidence)]),
        *quality_rows(predictions, settings.confidence),
        *([] if effects is None else [effects.spread_row(), *effects.rows(levels, keys, settings.confidence)]),
        *_text_rows(predictions),
        *baseline_rows(predictions, settings.confidence),
    ]
    return {
        "measures": measures_table(rows),
        "regions": _region_table(materials, predictions, effects),
        "without": _without_table(materials, predictions),
        "about": _about_table(predictions).with_columns(baseline=pl.lit(materials.baseline)),
    }


def probability_change(target: str) -> str:
    """The name of the measure that follows the target's probability."""
    return f"change in probability of {target}"


def _share_rows(predictions: Predictions, settings: PrefixSettings) -> Iterator[MeasureRow]:
    """Shares of regions, text by text: of changed labels in each direction, and of rises and falls.

    A share of changes cannot fall below 0, which is therefore no point to test it against.
    """
    before, after, shift = predictions.before, predictions.after, predictions.shift
    changes = {CHANGED: (after != before).mean(axis=0)}
    for (a, first), (b, second) in permutations(enumerate(predictions.labels), 2):
        changes[f"{first} → {second}"] = ((before == a) & (after == b)).mean(axis=0)
    target = predictions.labels[predictions.target]
    directions = {
        f"texts in which {target} rises": (shift > 0).mean(axis=0),
        f"texts in which {target} falls": (shift < 0).mean(axis=0),
    }
    for measure, shares in (changes | directions).items():
        interval, caution = share_of_texts(shares, settings.confidence)
        neutral = 0.5 if measure in directions else None
        yield measure_row(measure, ALL_REGIONS, interval, neutral=neutral, unit=TEXT, caution=caution)


def _change_row(predictions: Predictions, settings: PrefixSettings) -> MeasureRow:
    """The mean change in the target's probability, tested over texts."""
    change = predictions.shift.mean(axis=0)
    texts = range(change.size)
    found = crossed_mean(change, texts, texts, confidence=settings.confidence)
    measure = probability_change(predictions.labels[predictions.target])
    interval = found.interval if np.ptp(change) else found.interval.value
    return measure_row(measure, ALL_REGIONS, interval, neutral=0.0, unit=TEXT, p=found.p)


def _text_rows(predictions: Predictions) -> Iterator[MeasureRow]:
    """The share of regions that change the label of each text: the items that `tacit compare` pairs."""
    shares = (predictions.after != predictions.before).mean(axis=0)
    digits = len(str(shares.size))
    for number, share in enumerate(shares.tolist(), start=1):
        yield measure_row(CHANGED, TEXTS_ALONE, share, item=f"text {number:0{digits}}")


def _about_table(predictions: Predictions) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "target": [predictions.labels[predictions.target]],
            "labels": [predictions.labels],
            "labels_given": [np.unique(predictions.before).size],
            "texts": [predictions.before.size],
            "true_labels": [0 if predictions.gold is None else np.unique(predictions.gold).size],
        }
    )


def _region_table(materials: PrefixMaterials, predictions: Predictions, effects: RegionEffects | None) -> pl.DataFrame:
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
    if effects is not None:
        table |= {
            "against_mean": effects.deviations.mean(axis=0),
            "p_adjusted": effects.p,
            "verdict": effects.verdicts,
        }
    for (a, first), (b, second) in permutations(enumerate(predictions.labels), 2):
        table[f"{first} → {second}"] = shares[..., a, b]
    if predictions.gold is not None:
        table["accuracy"] = accuracy(predictions.gold, after)
        table["macro_f1"] = macro_f1(confusion(predictions.gold, after, len(predictions.labels)))
    if predictions.baseline is not None:
        table["against_baseline"] = (predictions.prefixed - predictions.baseline)[..., target].mean(axis=-1)
    return pl.DataFrame(table)


def _without_table(materials: PrefixMaterials, predictions: Predictions) -> pl.DataFrame:
    """Table 5: the mean share of changed labels, over all regions first, then without each region in turn."""
    before, after = predictions.before, predictions.after
    moved = label_changes(before, after, len(predictions.labels))
    shares = {"changed": (after != before).mean(axis=-1)}
    for (a, first), (b, second) in permutations(enumerate(predictions.labels), 2):
        shares[f"{first} → {second}"] = moved[..., a, b]
    columns = {
        name: pl.Series([float(values.mean()), *means_without_each(values).tolist()]).fill_nan(None)
        for name, values in shares.items()
    }
    return pl.DataFrame({"without": [NOTHING_LEFT_OUT, *(region.key for region in materials.regions)], **columns})
