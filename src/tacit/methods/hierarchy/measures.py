"""From answers to tables: the headline with its intervals, its controls, and the studies; words are resampled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.hierarchy.answers import read_answers
from tacit.methods.hierarchy.bootstrap import resample_plain_sparseness
from tacit.methods.hierarchy.control_rows import control_rows
from tacit.methods.hierarchy.evaluate import plain_sparseness
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import C_W, C_Z, PLAIN, WORD, Headline, compute_headline
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.positive_controls import positive_control_rows
from tacit.methods.hierarchy.region_tables import ranking_table, region_table
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.space import space_table
from tacit.methods.hierarchy.studies import study_table

__all__ = ["compute_measures"]


def compute_measures(materials: HierarchyMaterials, settings: HierarchySettings, answers: pl.DataFrame) -> Tables:
    """Compute all tables.

    Returns:
        `measures`; `regions`, one row per region; `ranking` of the top regions; `studies`, one row per variant and top
        region; `space`, the regions' names as points in a plane.
    """
    arrays = read_answers(materials, answers)
    headline = compute_headline(materials, settings, arrays)
    rows = [
        *_headline_rows(headline),
        *control_rows(headline),
        *positive_control_rows(headline, answers),
        *_count_rows(headline),
        *_item_rows(headline),
    ]
    return {
        "measures": measures_table(rows),
        "regions": region_table(headline),
        "ranking": ranking_table(headline),
        "studies": study_table(materials, settings, arrays, answers),
        "space": space_table(materials.tree, arrays.vectors, settings.seed),
    }


def _headline_rows(headline: Headline) -> Iterator[MeasureRow]:
    tree, scores = headline.tree, headline.answers.scores
    yield from _rows(headline, C_W, headline.evaluation.c_w[tree.headline], headline.bootstrap.c_w)
    yield from _rows(headline, C_Z, headline.evaluation.c_z[tree.headline], headline.bootstrap.c_z)
    resampled = resample_plain_sparseness(tree, scores, headline.settings)
    yield from _rows(headline, PLAIN, plain_sparseness(tree, scores), resampled)


def _rows(headline: Headline, measure: str, values: Floats, resampled: Floats) -> Iterator[MeasureRow]:
    """Rows without a neutral value: a mean distance cannot be negative; shuffled trees are its null."""
    for i, (group, region) in enumerate(zip(headline.groups, headline.tree.headline, strict=True)):
        interval = headline.interval(values[i], resampled[:, i])
        caution = headline.caution(region) if measure != PLAIN else None
        note = f"{_parts_note(headline, region)}; " if measure == C_W else ""
        note = f"{note}{len(resampled)} resamples of the words"
        yield measure_row(measure, group, interval, unit=WORD, note=note, caution=caution)


def _parts_note(headline: Headline, region: int) -> str:
    used, without_c = len(headline.parts(region)), headline.parts_without_c(region)
    note = f"{used} parts"
    left_out = int((headline.tree.parents == region).sum()) - used
    if left_out:
        return f"{note}, {left_out} left out"
    return f"{note}, {without_c} of them weighted by their siblings' mean" if without_c else note


def _count_rows(headline: Headline) -> Iterator[MeasureRow]:
    tree, evaluation = headline.tree, headline.evaluation
    departure = "alpha, largest departure from 1/n"
    yield measure_row(departure, "overall", evaluation.alpha_departure, note="Eq. 7, as a share of 1/n")
    for depth in range(tree.deepest + 1):
        at_depth = tree.depths == depth
        undefined = int(np.isnan(evaluation.c_w[:-1][at_depth]).sum())
        count = int(at_depth.sum())
        yield measure_row("regions without C", tree.level_of(depth), float(undefined), n=count)


def _item_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w of each region one level below the top: the items that `tacit compare` pairs."""
    tree = headline.tree
    for i in np.flatnonzero(tree.depths == tree.depth_below_top).tolist():
        value = float(headline.evaluation.c_w[i])
        region = tree.regions[i]
        yield measure_row(C_W, region.level, None if np.isnan(value) else value, item=region.key)
