"""The tables of the hierarchy method: the headline with its intervals, and each control beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.hierarchy.answers import Answered
from tacit.methods.hierarchy.bootstrap import Redrawn, interval, redraw, redraw_plain, resamples_for
from tacit.methods.hierarchy.controls import against_template, shuffle, without_token_count
from tacit.methods.hierarchy.evaluate import Evaluated, evaluate, plain
from tacit.methods.hierarchy.formulas import Floats, descriptive_vector, distance_to_centroid
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.space import neighbours_alike
from tacit.statistics import bootstrap, correlation, holm

__all__ = ["ALPHA", "C_W", "C_Z", "MEAN_OF_TOPS", "PLAIN", "SHUFFLED", "TEMPLATE", "TOKENS", "headline_tables"]

C_W, C_Z, PLAIN = "C_w", "C_z", "plain sparseness"
TOKENS, TEMPLATE = "C_w, number of tokens evened out", "C_w, against the template alone"
SHUFFLED, MEAN_OF_TOPS = "C_w, beside a shuffled tree", "mean of the top regions"
ALPHA = "alpha, largest departure from 1/n"


@dataclass(frozen=True)
class _Headline:
    """What all rows are made from."""

    materials: HierarchyMaterials
    settings: HierarchySettings
    answered: Answered
    found: Evaluated
    redrawn: Redrawn

    @property
    def shown(self) -> list[int]:
        return [*self.materials.tree.top.tolist(), self.materials.tree.whole]

    @property
    def groups(self) -> list[str]:
        return [*self.materials.headings(self.settings), self.materials.tree.root]


def headline_tables(materials: HierarchyMaterials, settings: HierarchySettings, answered: Answered) -> Tables:
    """The measures, every region with its figures, and the ranking of the top regions under redrawn words."""
    tree = materials.tree
    found = evaluate(tree, answered.scores, answered.names, settings)
    redrawn = redraw(tree, answered.scores, answered.names, settings, resamples_for(tree, settings))
    headline = _Headline(materials, settings, answered, found, redrawn)
    rows = [
        *_headline_rows(headline),
        *_plain_rows(headline),
        *_control_rows(headline),
        *_shuffled_rows(headline),
        *_token_rows(headline),
        *_neighbour_rows(headline),
        *_count_rows(headline),
        *_item_rows(headline),
    ]
    return {
        "measures": measures_table(rows),
        "regions": _regions(headline),
        "ranking": _ranking(headline),
    }


def _headline_rows(at: _Headline) -> Iterator[MeasureRow]:
    words = len(at.materials.words)
    note = f"{len(at.redrawn.c_w)} draws of the words"
    for name, values, redrawn in ((C_W, at.found.c_w, at.redrawn.c_w), (C_Z, at.found.c_z, at.redrawn.c_z)):
        for i, (place, group) in enumerate(zip(at.shown, at.groups, strict=True)):
            yield measure_row(
                name, group, interval(values[place], redrawn[:, i], at.settings, words), neutral=0.0, note=note
            )


def _plain_rows(at: _Headline) -> Iterator[MeasureRow]:
    tree, words = at.materials.tree, len(at.materials.words)
    values, redrawn = plain(tree, at.answered.scores), redraw_plain(tree, at.answered.scores, at.settings)
    for i, group in enumerate(at.groups):
        found = interval(values[i], redrawn[:, i], at.settings, words)
        yield measure_row(PLAIN, group, found, neutral=0.0, note=f"{len(redrawn)} draws of the words")


def _control_rows(at: _Headline) -> Iterator[MeasureRow]:
    """The headline again from scores that a nuisance was taken out of."""
    variants = {TOKENS: without_token_count(at.answered.scores, at.answered.pieces)}
    if at.answered.neutral is not None:
        variants[TEMPLATE] = against_template(at.answered.scores, at.answered.neutral)
    tree, words = at.materials.tree, len(at.materials.words)
    draws = resamples_for(tree, at.settings, share=5)
    for name, scores in variants.items():
        values = evaluate(tree, scores, at.answered.names, at.settings).c_w[at.shown]
        redrawn = redraw(tree, scores, at.answered.names, at.settings, draws).c_w
        agreement = _agreement(at.found.c_w[at.shown][:-1], values[:-1])
        note = f"rank correlation with C_w {agreement}; {draws} draws of the words"
        for i, group in enumerate(at.groups):
            yield measure_row(
                name, group, interval(values[i], redrawn[:, i], at.settings, words), neutral=0.0, note=note
            )


def _agreement(first: Floats, second: Floats) -> str:
    both = ~np.isnan(first) & ~np.isnan(second)
    if both.sum() < 3:
        return "undefined"
    one, other = (np.argsort(np.argsort(values[both])) for values in (first, second))
    return f"{np.corrcoef(one, other)[0, 1]:.2f}"


def _shuffled_rows(at: _Headline) -> Iterator[MeasureRow]:
    """The observed C_w with the shuffled tree's as the neutral point; the interval is that of redrawn words."""
    shuffled = shuffle(at.materials.tree, at.found, at.settings)
    if shuffled is None:
        return
    tail = (1 - at.settings.confidence) / 2
    low, high = np.quantile(shuffled.null, [tail, 1 - tail], axis=0)
    redrawn = np.column_stack([at.redrawn.c_w[:, :-1], np.nanmean(at.redrawn.c_w[:, :-1], axis=1)])
    adjusted = [*holm(shuffled.p[:-1]), None]
    share = f"of {len(shuffled.null)} shuffles {at.settings.confidence:.0%} lie from"
    for i, group in enumerate([*at.groups[:-1], MEAN_OF_TOPS]):
        yield measure_row(
            SHUFFLED,
            group,
            interval(shuffled.observed[i], redrawn[:, i], at.settings, len(at.materials.words)),
            neutral=float(shuffled.null[:, i].mean()),
            p=float(shuffled.p[i]),
            p_adjusted=None if adjusted[i] is None else float(adjusted[i]),
            note=f"{share} {low[i]:.3g} to {high[i]:.3g}",
        )


def _token_rows(at: _Headline) -> Iterator[MeasureRow]:
    """Does a region stand apart from its siblings because its name has many tokens?"""
    tree = at.materials.tree
    apart = _apart(at)
    for depth in range(1, tree.deepest + 1):
        here = np.flatnonzero((tree.depths == depth) & ~np.isnan(apart))
        pieces = at.answered.pieces[here].astype(float)
        if len(here) < 4 or not np.ptp(pieces):
            continue
        found = correlation(
            pieces,
            apart[here],
            resamples=at.settings.resamples,
            confidence=at.settings.confidence,
            seed=at.settings.seed,
        )
        name = "tokens in the name and distance from the siblings"
        yield measure_row(name, tree.level_of(depth), found, neutral=0.0, note="Spearman's", p=found.p)


def _apart(at: _Headline) -> Floats:
    """The distance of each region's own vector from the centroid of its siblings."""
    vectors = descriptive_vector(at.answered.scores)
    found = np.full(len(vectors), np.nan)
    for depth in at.materials.tree.siblings:
        for group in depth:
            if group.children.shape[1] > 1:
                found[group.children] = distance_to_centroid(vectors[group.children])
    return found


def _neighbour_rows(at: _Headline) -> Iterator[MeasureRow]:
    if len(at.answered.vectors) < 4:
        return
    alike = neighbours_alike(at.materials.tree, at.answered.vectors)
    settings = at.settings
    tops = at.materials.tree.top_of()
    place = {region.key: i for i, region in enumerate(at.materials.tree.regions)}
    _, sizes = np.unique(tops[[place[key] for key in at.answered.vectors]], return_counts=True)
    chance = float((sizes * (sizes - 1)).sum() / (sizes.sum() * (sizes.sum() - 1)))
    found = bootstrap(alike, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed)
    yield measure_row(
        "nearest name lies in the same top region", "overall", found, neutral=chance, note="neutral is chance"
    )


def _count_rows(at: _Headline) -> Iterator[MeasureRow]:
    tree = at.materials.tree
    yield measure_row(ALPHA, "overall", at.found.alpha_departure, neutral=0.0, note="Eq. 7, as a share of 1/n")
    for depth in range(tree.deepest + 1):
        here = tree.depths == depth
        lost = int(np.isnan(at.found.c_w[:-1][here]).sum())
        yield measure_row("regions without C", tree.level_of(depth), float(lost), n=int(here.sum()), neutral=0.0)


def _item_rows(at: _Headline) -> Iterator[MeasureRow]:
    tree = at.materials.tree
    depth = min(int(tree.depths[tree.top[0]]) + 1, tree.deepest)
    for i in np.flatnonzero(tree.depths == depth).tolist():
        region = tree.regions[i]
        value = None if np.isnan(at.found.c_w[i]) else float(at.found.c_w[i])
        yield measure_row(C_W, region.level, value, item=region.key, neutral=0.0)


def _regions(at: _Headline) -> pl.DataFrame:
    tree = at.materials.tree
    tops = tree.top_of()
    word = next(i for i, word in enumerate(at.materials.words) if word.word == at.materials.map_word)
    redrawn = at.redrawn.upper
    bounds = [interval(at.found.c_w[i], redrawn[i], at.settings, 1) if i in redrawn else None for i in range(len(tree))]
    return pl.DataFrame(
        {
            "region": [region.key for region in tree.regions],
            "name": [region.name for region in tree.regions],
            "level": [region.level for region in tree.regions],
            "depth": tree.depths,
            "top": [tree.regions[i].name if i >= 0 else None for i in tops.tolist()],
            "code": [region.code for region in tree.regions],
            "children": np.bincount(tree.parents, minlength=len(tree) + 1)[:-1],
            "pieces": at.answered.pieces,
            "name_score": at.answered.names,
            "apart": pl.Series(_apart(at)).fill_nan(None),
            "c_w": pl.Series(at.found.c_w[:-1]).fill_nan(None),
            "low": [bound and bound.low for bound in bounds],
            "high": [bound and bound.high for bound in bounds],
            "c_z": pl.Series(at.found.c_z[:-1]).fill_nan(None),
            "word": [at.materials.map_word] * len(tree),
            "word_score": at.answered.scores[:, word],
            "printed_as": [at.materials.printed_as.get(region.name) for region in tree.regions],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64, "top": pl.String, "printed_as": pl.String},
    )


def _ranking(at: _Headline) -> pl.DataFrame:
    """Rank 1 is the highest C_w; pairs is what `per-pair` divides by."""
    tree = at.materials.tree
    values, redrawn = at.found.c_w[tree.top], at.redrawn.c_w[:, :-1]
    defined = ~np.isnan(values)
    ranks = (-np.where(defined, redrawn, -np.inf)).argsort(axis=1).argsort(axis=1) + 1
    tail = (1 - at.settings.confidence) / 2
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="nearest")
    children = np.bincount(tree.parents, minlength=len(tree) + 1)[tree.top]
    return pl.DataFrame(
        {
            "group": at.groups[:-1],
            "c_w": pl.Series(values).fill_nan(None),
            "rank": (-np.where(defined, values, -np.inf)).argsort().argsort() + 1,
            "rank_low": low.astype(np.int64),
            "rank_high": high.astype(np.int64),
            "first": (ranks == 1).mean(axis=0),
            "children": children,
            "pairs": children * (children - 1) // 2,
        }
    )
