"""Controls next to the headline: shuffled trees, adjusted scores, and what spelling and nearness of names explain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.hierarchy.evaluate import Evaluation, evaluate, group_c_w
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import SIGNIFICANT, UNDECIDED, WORD, Headline, evaluate_without, parts_used
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.space import nearest_names
from tacit.methods.hierarchy.tree import Booleans, Ints, Tree
from tacit.statistics import Correlation, correlation, holm, wilson_interval

__all__ = [
    "LESS_ALIKE",
    "MEAN_OF_TOPS",
    "MORE_ALIKE",
    "SHUFFLED",
    "TEMPLATE",
    "TOKENS",
    "ShuffleTest",
    "control_rows",
    "remove_token_count",
    "shuffle_test",
    "subtract_template",
]

# Names of measures, groups and verdicts, as the measures table has them.
TOKENS, TEMPLATE = "C_w, number of tokens evened out", "C_w, against the template alone"
SHUFFLED, MEAN_OF_TOPS = "C_w, beside a shuffled tree", "mean of the top regions"
MORE_ALIKE, LESS_ALIKE = "more alike than at random", "less alike than at random"

# Shuffles at once: their factors take 40 MB.
_FACTORS_AT_ONCE = 5_000_000


def control_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w from adjusted scores and beside shuffled trees, and what spelling and nearness of names explain."""
    yield from _adjusted_rows(headline)
    yield from _shuffled_rows(headline)
    yield from _token_rows(headline)
    yield from _neighbor_rows(headline)


def _adjusted_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w from scores without the effect of the token count, and without the score of the template."""
    answers, settings, tree = headline.answers, headline.settings, headline.tree
    adjusted = {TOKENS: remove_token_count(answers.scores, answers.token_counts)}
    if answers.neutral is not None:
        adjusted[TEMPLATE] = subtract_template(answers.scores, answers.neutral)
    for measure, scores in adjusted.items():
        values = evaluate(tree, scores, answers.names, settings).c_w
        without, _ = evaluate_without(headline.kept, tree, scores, answers.names, settings)
        agreement = _rank_correlation(headline.evaluation.c_w[tree.top], values[tree.top])
        for group, region in zip(headline.groups, tree.headline, strict=True):
            value = headline.interval_or_value(float(values[region]), without[:, region])
            note, caution = f"rank correlation with C_w {agreement}", headline.caution(region)
            yield measure_row(measure, group, value, unit=WORD, note=note, caution=caution)


def _rank_correlation(first: Floats, second: Floats) -> str:
    defined = ~np.isnan(first) & ~np.isnan(second)
    if defined.sum() < 3:
        return "undefined"
    ranks = np.array([values[defined].argsort().argsort() for values in (first, second)])
    return f"{np.corrcoef(ranks)[0, 1]:.2f}"


def remove_token_count(scores: Floats, token_counts: Ints) -> Floats:
    """For each word, shift the scores so that names of every token count have the same mean.

    The tokens of a long name make up more of the sentence, so its scores differ regardless of the place.
    """
    adjusted = scores + scores.mean(axis=0)
    for count in np.unique(token_counts):
        same_count = token_counts == count
        adjusted[same_count] -= scores[same_count].mean(axis=0)
    return np.asarray(adjusted)


def subtract_template(scores: Floats, neutral: Floats) -> Floats:
    """The log-likelihood ratio f(sentence with the region) - f(sentence with a neutral phrase), word by word."""
    return scores - neutral


@dataclass(frozen=True)
class ShuffleTest:
    """C_w of each top region and, last, their mean.

    Attributes:
        observed: In the tree as it is: (top regions + 1,).
        null: In each shuffled tree: (shuffles, top regions + 1).
    """

    observed: Floats
    null: Floats

    @property
    def center(self) -> Floats:
        """The mean over all groupings, the observed one included: what a random grouping gives."""
        return np.asarray(np.vstack([self.observed, self.null]).mean(axis=0))

    @property
    def p(self) -> Floats:
        """Two-sided p-values: how many groupings, the observed one included, are at least as far from their mean."""
        as_far = np.abs(self.null - self.center) >= np.abs(self.observed - self.center) - 1e-15
        return np.asarray((1 + as_far.sum(axis=0)) / (1 + len(self.null)))


def shuffle_test(tree: Tree, evaluation: Evaluation, settings: HierarchySettings) -> ShuffleTest | None:
    """Assign the regions below the top regions at random; each top region keeps its number of parts.

    The parts keep their own V and C: only their grouping changes. None if a top region has fewer than two parts.
    """
    parts = [parts_used(tree, evaluation, top, settings) for top in tree.top.tolist()]
    sizes = [len(children) for children in parts]
    if min(sizes, default=0) < 2:
        return None
    pool, tops = np.concatenate(parts), np.repeat(np.arange(len(parts)), sizes)
    generator = np.random.default_rng([settings.seed, 7])
    orders = np.array([tops, *(generator.permutation(tops) for _ in range(settings.resamples))])
    step = max(1, _FACTORS_AT_ONCE // (len(parts) * len(pool)))
    batches = [orders[start : start + step] for start in range(0, len(orders), step)]
    values = np.concatenate([_grouped_values(evaluation, pool, batch, len(parts), settings) for batch in batches])
    values = np.column_stack([values, values.mean(axis=1)])
    return ShuffleTest(values[0], values[1:])


def _grouped_values(evaluation: Evaluation, pool: Ints, orders: Ints, tops: int, settings: HierarchySettings) -> Floats:
    """C_w of each top region in each order of the regions: (orders, top regions)."""
    member: Booleans = orders[:, None, :] == np.arange(tops)[:, None]
    return group_c_w(evaluation, pool, member.reshape(-1, len(pool)), settings).reshape(len(orders), tops)


def _shuffled_rows(headline: Headline) -> Iterator[MeasureRow]:
    """C_w in the tree as it is, with its mean over shuffled trees as neutral value.

    These rows have no interval over words: C_w of shuffled trees would vary with the words as well.
    """
    settings = headline.settings
    test = shuffle_test(headline.tree, headline.evaluation, settings)
    if test is None:
        return
    tail = (1 - settings.confidence) / 2
    low, high = np.quantile(test.null, [tail, 1 - tail], axis=0)
    # The mean of the top regions summarizes the others, so it is a family of its own.
    adjusted = [*map(float, holm(test.p[:-1])), float(test.p[-1])]
    share = f"of {len(test.null)} shuffles {settings.confidence:.0%} lie from"
    for i, group in enumerate([*headline.groups[:-1], MEAN_OF_TOPS]):
        value, neutral = float(test.observed[i]), float(test.center[i])
        direction = MORE_ALIKE if value < neutral else LESS_ALIKE
        yield measure_row(
            SHUFFLED,
            group,
            value,
            neutral=neutral,
            p=float(test.p[i]),
            p_adjusted=adjusted[i],
            verdict=direction if adjusted[i] < SIGNIFICANT else UNDECIDED,
            note=f"{share} {low[i]:.3g} to {high[i]:.3g}",
        )


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
    """How many names have their nearest name in the same top region.

    Two names that are nearest to each other count as one: either both lie in the same top region or neither does.
    """
    tree, vectors = headline.tree, headline.answers.vectors
    if len(vectors) < 4:
        return
    keys, nearest = nearest_names(vectors)
    tops = tree.top_of[[tree.index[key] for key in keys]]
    _, sizes = np.unique(tops, return_counts=True)
    chance = float((sizes * (sizes - 1)).sum() / (sizes.sum() * (sizes.sum() - 1)))
    mutual = float((nearest[nearest] == np.arange(len(keys))).mean())
    share, independent = float((tops[nearest] == tops).mean()), len(keys) / (1 + mutual)
    interval = wilson_interval(share, len(keys), headline.settings.confidence, effective=independent)
    level = tree.level_of(tree.depth_below_top)
    measure = "nearest name lies in the same top region"
    yield measure_row(measure, "overall", interval, unit=level, neutral=chance, note="neutral is chance")
