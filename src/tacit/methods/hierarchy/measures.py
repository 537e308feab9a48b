"""From answers to tables: the headline with intervals over words, its controls, and the studies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.hierarchy.answers import read_answers
from tacit.methods.hierarchy.controls import control_rows
from tacit.methods.hierarchy.evaluate import plain_sparseness, plain_sparseness_without
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.geography import geography_rows
from tacit.methods.hierarchy.headline import C_W, C_Z, PLAIN, WORD, Headline, compute_headline
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.ranking import compare_tops, highest_rows, ranking_table
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.space import space_table
from tacit.methods.hierarchy.studies import study_table
from tacit.methods.hierarchy.validity import positive_control_rows

__all__ = ["BLOCK_C_W", "REGION", "WORD_BLOCK", "compute_measures"]

BLOCK_C_W = "C_w by block"
# The sampled units of a comparison, as the units table has them.
REGION, WORD_BLOCK = "region", "word block"


def compute_measures(materials: HierarchyMaterials, settings: HierarchySettings, answers: pl.DataFrame) -> Tables:
    """Compute all tables.

    Returns:
        `measures`; `regions`, one row per region; `ranking` of the top regions; `studies`, one row per variant and top
        region; `space`, the regions' names as points in a plane; `units`, which region and block of words a compared
        item belongs to.
    """
    arrays = read_answers(materials, answers)
    headline = compute_headline(materials, settings, arrays)
    ranking = compare_tops(headline)
    rows = [
        *_headline_rows(headline),
        *control_rows(headline),
        *highest_rows(headline, ranking),
        *positive_control_rows(headline, answers),
        *_count_rows(headline),
        *_item_rows(headline),
        *geography_rows(headline),
    ]
    return {
        "measures": measures_table(rows),
        "regions": _region_table(headline),
        "ranking": ranking_table(headline, ranking),
        "studies": study_table(headline, answers),
        "space": space_table(materials.tree, arrays.vectors, settings.seed),
        "units": _unit_table(headline),
    }


def _headline_rows(headline: Headline) -> Iterator[MeasureRow]:
    """Rows without a neutral value: a mean distance cannot be negative; shuffled trees are its null."""
    tree, scores, evaluation = headline.tree, headline.answers.scores, headline.evaluation
    plain = plain_sparseness(tree, scores)
    measures = {
        C_W: (evaluation.c_w[tree.headline], headline.c_w[:, tree.headline]),
        C_Z: (evaluation.c_z[tree.headline], headline.c_z[:, tree.headline]),
        PLAIN: (plain, plain * plain_sparseness_without(tree, scores, headline.kept, headline.settings.seed)),
    }
    for measure, (values, without) in measures.items():
        for i, (group, region) in enumerate(zip(headline.groups, tree.headline, strict=True)):
            value = headline.interval_or_value(float(values[i]), without[:, i])
            caution = headline.caution(region) if measure != PLAIN else None
            note = _parts_note(headline, region) if measure == C_W else None
            yield measure_row(measure, group, value, unit=WORD, note=note, caution=caution)


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


def _compared(headline: Headline) -> list[int]:
    """The regions one level below the top, which `tacit compare` pairs."""
    return np.flatnonzero(headline.tree.depths == headline.tree.depth_below_top).tolist()


def _item_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w of each region one level below the top, and what each block of words contributes to it."""
    tree = headline.tree
    for i in _compared(headline):
        value, region = float(headline.evaluation.c_w[i]), tree.regions[i]
        defined = not np.isnan(value)
        yield measure_row(C_W, region.level, value if defined else None, item=region.key)
        for block, contribution in enumerate(block_contributions(value, headline.c_w[:, i])):
            shown = float(contribution) if defined else None
            yield measure_row(BLOCK_C_W, region.level, shown, item=_item(region.key, block))


def block_contributions(value: float, without: Floats) -> Floats:
    """What each of G blocks of words contributes: θ + (G - 1)(mean of θ₍₋b₎ - θ₍₋b₎), so that their mean is θ.

    These are the jackknife's pseudo-values around θ. Their variance over blocks is that of θ over words.
    """
    return value + (len(without) - 1) * (without.mean() - without) if len(without) else without


def _unit_table(headline: Headline) -> pl.DataFrame:
    regions = [headline.tree.regions[i] for i in _compared(headline)]
    rows = [
        (region.level, _item(region.key, block), region.key, f"block {block + 1}")
        for region in regions
        for block in range(len(headline.kept))
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("group", "item", REGION, WORD_BLOCK), pl.String), orient="row")


def _item(key: str, block: int) -> str:
    return f"{key} (block {block + 1})"


def _region_table(headline: Headline) -> pl.DataFrame:
    """One row per region; intervals over words for the top regions and the level below them."""
    tree, answers, evaluation, materials = headline.tree, headline.answers, headline.evaluation, headline.materials
    word = next(i for i, word in enumerate(materials.words) if word.word == materials.map_word)
    upper = tree.depths <= tree.depths[tree.top[0]] + 1
    intervals = [
        headline.interval(float(evaluation.c_w[i]), headline.c_w[:, i]) if upper[i] else None for i in range(len(tree))
    ]
    return pl.DataFrame(
        {
            "region": [region.key for region in tree.regions],
            "name": [region.name for region in tree.regions],
            "level": [region.level for region in tree.regions],
            "depth": tree.depths,
            "top": [tree.regions[i].name if i >= 0 else None for i in tree.top_of.tolist()],
            "code": [region.code for region in tree.regions],
            "children": tree.child_counts,
            "pieces": answers.token_counts,
            "name_score": answers.names,
            "apart": pl.Series(headline.sibling_distances).fill_nan(None),
            "c_w": pl.Series(evaluation.c_w[:-1]).fill_nan(None),
            "low": [interval and interval.low for interval in intervals],
            "high": [interval and interval.high for interval in intervals],
            "c_z": pl.Series(evaluation.c_z[:-1]).fill_nan(None),
            "word": [materials.map_word] * len(tree),
            "word_score": answers.scores[:, word],
            "zoom": [materials.zoom] * len(tree),
            "printed_as": [materials.printed_as.get(region.name) for region in tree.regions],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64, "top": pl.String, "printed_as": pl.String},
    ).with_columns(pl.col("low", "high").fill_nan(None))
