"""The tables of single regions: every region with its values, and the ranking of the top regions."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.methods.hierarchy.bootstrap import percentile_interval
from tacit.methods.hierarchy.headline import Headline

__all__ = ["ranking_table", "region_table"]


def region_table(headline: Headline) -> pl.DataFrame:
    """One row per region; intervals for the upper regions only."""
    tree, answers, evaluation = headline.tree, headline.answers, headline.evaluation
    materials, upper = headline.materials, headline.bootstrap.upper
    word = next(i for i, word in enumerate(materials.words) if word.word == materials.map_word)
    intervals = [
        percentile_interval(evaluation.c_w[i], upper[i], headline.settings, 1) if i in upper else None
        for i in range(len(tree))
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
            "printed_as": [materials.printed_as.get(region.name) for region in tree.regions],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64, "top": pl.String, "printed_as": pl.String},
    )


def ranking_table(headline: Headline) -> pl.DataFrame:
    """One row per top region: its rank (1 = highest C_w) with an interval, and how often it ranks first.

    `pairs` is the number of pairs of parts, which the `per-pair` weights divide by; `used` is the number of parts in
    C_w, of which `without_c` have no C of their own.
    """
    tree = headline.tree
    values, resampled = headline.evaluation.c_w[tree.top], headline.bootstrap.c_w[:, :-1]
    defined = ~np.isnan(values)
    ranks = (-np.where(defined, resampled, -np.inf)).argsort(axis=1).argsort(axis=1) + 1
    tail = (1 - headline.settings.confidence) / 2
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="nearest")
    children = tree.child_counts[tree.top]
    return pl.DataFrame(
        {
            "group": headline.groups[:-1],
            "c_w": pl.Series(values).fill_nan(None),
            "rank": (-np.where(defined, values, -np.inf)).argsort().argsort() + 1,
            "rank_low": low.astype(np.int64),
            "rank_high": high.astype(np.int64),
            "first": (ranks == 1).mean(axis=0),
            "children": children,
            "pairs": children * (children - 1) // 2,
            "used": [len(headline.parts(top)) for top in tree.top.tolist()],
            "without_c": [headline.parts_without_c(top) for top in tree.top.tolist()],
        }
    )
