"""The rows of the measures table that put the controls next to the headline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.hierarchy.bootstrap import resample_count, resample_tree
from tacit.methods.hierarchy.controls import remove_token_count, shuffle_test, subtract_template
from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import (
    LESS_ALIKE,
    MEAN_OF_TOPS,
    MORE_ALIKE,
    SHUFFLED,
    SIGNIFICANT,
    TEMPLATE,
    TOKENS,
    UNDECIDED,
    WORD,
    Headline,
)
from tacit.methods.hierarchy.highest import highest_rows
from tacit.methods.hierarchy.space import neighbors_alike
from tacit.statistics import Correlation, correlation, holm, share_interval

__all__ = ["control_rows"]

# The adjusted scores get a fifth of the headline's resamples.
_DIVISOR = 5


def control_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w from adjusted scores and beside shuffled trees, and what spelling and nearness of names explain."""
    yield from _adjusted_rows(headline)
    yield from _shuffled_rows(headline)
    yield from highest_rows(headline)
    yield from _token_rows(headline)
    yield from _neighbor_rows(headline)


def _adjusted_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w from scores without the effect of the token count, and without the score of the template."""
    answers, settings, tree = headline.answers, headline.settings, headline.tree
    adjusted = {TOKENS: remove_token_count(answers.scores, answers.token_counts)}
    if answers.neutral is not None:
        adjusted[TEMPLATE] = subtract_template(answers.scores, answers.neutral)
    resamples = resample_count(tree, settings, _DIVISOR)
    for measure, scores in adjusted.items():
        values = evaluate(tree, scores, answers.names, settings).c_w[tree.headline]
        resampled = resample_tree(tree, scores, answers.names, settings, resamples).c_w
        agreement = _rank_correlation(headline.evaluation.c_w[tree.top], values[:-1])
        note = f"rank correlation with C_w {agreement}; {resamples} resamples of the words"
        for i, (group, region) in enumerate(zip(headline.groups, tree.headline, strict=True)):
            interval = headline.interval(values[i], resampled[:, i])
            yield measure_row(measure, group, interval, unit=WORD, note=note, caution=headline.caution(region))


def _rank_correlation(first: Floats, second: Floats) -> str:
    defined = ~np.isnan(first) & ~np.isnan(second)
    if defined.sum() < 3:
        return "undefined"
    ranks = np.array([values[defined].argsort().argsort() for values in (first, second)])
    return f"{np.corrcoef(ranks)[0, 1]:.2f}"


def _shuffled_rows(headline: Headline) -> Iterator[MeasureRow]:
    """The observed C_w with its interval over resampled words; the mean over shuffled trees is its neutral value."""
    settings = headline.settings
    test = shuffle_test(headline.tree, headline.evaluation, settings)
    if test is None:
        return
    tail = (1 - settings.confidence) / 2
    low, high = np.quantile(test.null, [tail, 1 - tail], axis=0)
    top_values = headline.bootstrap.c_w[:, :-1]
    resampled = np.column_stack([top_values, np.nanmean(top_values, axis=1)])
    # The mean of the top regions summarizes the others, so it is a family of its own.
    adjusted = [*map(float, holm(test.p[:-1])), float(test.p[-1])]
    share = f"of {len(test.null)} shuffles {settings.confidence:.0%} lie from"
    for i, group in enumerate([*headline.groups[:-1], MEAN_OF_TOPS]):
        p, neutral = float(test.p[i]), float(test.null[:, i].mean())
        yield measure_row(
            SHUFFLED,
            group,
            headline.interval(test.observed[i], resampled[:, i]),
            unit=WORD,
            neutral=neutral,
            p=p,
            p_adjusted=adjusted[i],
            verdict=_alikeness(test.observed[i] - neutral) if adjusted[i] < SIGNIFICANT else UNDECIDED,
            note=f"{share} {low[i]:.3g} to {high[i]:.3g}",
        )


def _alikeness(excess: float) -> str:
    return MORE_ALIKE if excess < 0 else LESS_ALIKE


def _token_rows(headline: Headline) -> Iterator[MeasureRow]:
    """Whether regions whose names have more tokens are farther from their siblings, level by level."""
    tree, distances = headline.tree, headline.sibling_distances
    correlations: dict[str, Correlation] = {}
    for depth in range(1, tree.deepest + 1):
        regions = np.flatnonzero((tree.depths == depth) & ~np.isnan(distances))
        counts = headline.answers.token_counts[regions].astype(float)
        if len(regions) >= 4 and np.ptp(counts):
            options = asdict(headline.settings.resampling)
            correlations[tree.level_of(depth)] = correlation(counts, distances[regions], **options)
    if not correlations:
        return
    adjusted = holm([spearman.p for spearman in correlations.values()])
    measure, note = "tokens in the name and distance from the siblings", "Spearman's"
    for (level, spearman), p in zip(correlations.items(), adjusted.tolist(), strict=True):
        yield measure_row(measure, level, spearman, unit=level, neutral=0.0, p=spearman.p, p_adjusted=p, note=note)


def _neighbor_rows(headline: Headline) -> Iterator[MeasureRow]:
    tree, vectors = headline.tree, headline.answers.vectors
    if len(vectors) < 4:
        return
    _, sizes = np.unique(tree.top_of[[tree.index[key] for key in vectors]], return_counts=True)
    chance = float((sizes * (sizes - 1)).sum() / (sizes.sum() * (sizes.sum() - 1)))
    interval = share_interval(neighbors_alike(tree, vectors), confidence=headline.settings.confidence)
    level = tree.level_of(tree.depth_below_top)
    measure = "nearest name lies in the same top region"
    yield measure_row(measure, "overall", interval, unit=level, neutral=chance, note="neutral is chance")
