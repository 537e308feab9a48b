"""Controls for the headline: shuffled trees, the number of tokens in a name, and the template without a region."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.methods.hierarchy.evaluate import Evaluation
from tacit.methods.hierarchy.formulas import Floats, weighted_sparseness
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree

__all__ = ["ShuffleTest", "remove_token_count", "shuffle_test", "subtract_template"]


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
    parts = [np.flatnonzero(tree.parents == top) for top in tree.top.tolist()]
    parts = [children[~np.isnan(evaluation.c_w[children])] for children in parts]
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
    values = [
        float(weighted_sparseness(evaluation.vectors[group], evaluation.c_w[group], settings.weights))
        for group in np.split(pool, np.cumsum(sizes)[:-1])
    ]
    return np.array([*values, np.mean(values)])


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
