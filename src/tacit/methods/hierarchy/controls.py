"""Controls for the headline: shuffled trees, the number of tokens in a name, and the template without a region."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.methods.hierarchy.evaluate import Evaluation, group_values
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree

__all__ = ["ShuffleTest", "part_variance", "parts_used", "remove_token_count", "shuffle_test", "subtract_template"]


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
    def p(self) -> Floats:
        """Two-sided p-values: how often a shuffle is at least as far from the shuffles' mean as the observed value."""
        center = self.null.mean(axis=0)
        as_far = np.abs(self.null - center) >= np.abs(self.observed - center) - 1e-15
        return np.asarray((1 + as_far.sum(axis=0)) / (1 + len(self.null)))


def shuffle_test(tree: Tree, evaluation: Evaluation, settings: HierarchySettings) -> ShuffleTest | None:
    """Assign the regions below the top regions at random; each top region keeps its number of parts.

    The parts keep their own V and C: only their grouping changes. None if a top region has fewer than two parts.
    """
    parts = [parts_used(tree, evaluation, top, settings) for top in tree.top.tolist()]
    sizes = [len(children) for children in parts]
    if min(sizes, default=0) < 2:
        return None
    pool = np.concatenate(parts)
    generator = np.random.default_rng([settings.seed, 7])
    orders = [np.arange(len(pool)), *(generator.permutation(len(pool)) for _ in range(settings.resamples))]
    values = np.array([_grouped_values(evaluation, pool[order], sizes, settings) for order in orders])
    return ShuffleTest(values[0], values[1:])


def _grouped_values(evaluation: Evaluation, pool: Ints, sizes: list[int], settings: HierarchySettings) -> Floats:
    """C_w of consecutive groups of these sizes and, last, their mean."""
    values = [_group_value(evaluation, group, settings) for group in np.split(pool, np.cumsum(sizes)[:-1])]
    return np.array([*values, np.mean(values)])


def _group_value(evaluation: Evaluation, group: Ints, settings: HierarchySettings) -> float:
    return float(group_values(evaluation.vectors[group][None], evaluation.c_w[group][None], settings)[0])


def parts_used(tree: Tree, evaluation: Evaluation, region: int, settings: HierarchySettings) -> Ints:
    """The sub-regions that enter the C_w of a region: all of them, or those that have a C of their own."""
    parts = np.flatnonzero(tree.parents == region)
    return parts if settings.single != "undefined" else parts[~np.isnan(evaluation.c_w[parts])]


def part_variance(tree: Tree, evaluation: Evaluation, region: int, settings: HierarchySettings) -> float:
    """The variance of a region's C_w over its parts, by the jackknife; NaN for fewer than three parts.

    V = (n - 1) / n * sum over parts j of (C without j - mean)^2.
    """
    parts = parts_used(tree, evaluation, region, settings)
    if len(parts) < 3:
        return float("nan")
    without = [_group_value(evaluation, np.delete(parts, j), settings) for j in range(len(parts))]
    return float((len(parts) - 1) * np.var(without))


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
