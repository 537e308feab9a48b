"""Beside the headline: a shuffled tree, the number of tokens in a name, and the template without a region."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.methods.hierarchy.evaluate import Evaluated
from tacit.methods.hierarchy.formulas import Floats, weighted_sparseness
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree

__all__ = ["Shuffled", "against_template", "shuffle", "without_token_count"]


@dataclass(frozen=True)
class Shuffled:
    """C_w of each top region, and last their mean, when regions are dealt out anew: (shuffles, regions + 1)."""

    observed: Floats
    null: Floats

    @property
    def p(self) -> Floats:
        """Two-sided: how often a shuffle is as far from the shuffles' mean as what was observed, itself counted in."""
        middle = self.null.mean(axis=0)
        further = np.abs(self.null - middle) >= np.abs(self.observed - middle) - 1e-15
        return np.asarray((1 + further.sum(axis=0)) / (1 + len(self.null)))


def shuffle(tree: Tree, found: Evaluated, settings: HierarchySettings) -> Shuffled | None:
    """Deal the regions under the top regions out anew, each top region keeping its number of them.

    Their own V and C stay as they are: only what they are grouped into changes. None without a level under the top.
    """
    dealt, sizes = _dealt(tree, found)
    if min(sizes, default=0) < 2:
        return None
    generator = np.random.default_rng([settings.seed, 7])
    orders = [np.arange(len(dealt)), *(generator.permutation(len(dealt)) for _ in range(settings.resamples))]
    deals = np.array([_deal(found, dealt[order], sizes, settings) for order in orders])
    return Shuffled(deals[0], deals[1:])


def _dealt(tree: Tree, found: Evaluated) -> tuple[npt.NDArray[np.int64], list[int]]:
    sets = [np.flatnonzero(tree.parents == top) for top in tree.top.tolist()]
    known = [children[~np.isnan(found.c_w[children])] for children in sets]
    return np.concatenate(known), [len(children) for children in known]


def _deal(found: Evaluated, dealt: npt.NDArray[np.int64], sizes: list[int], settings: HierarchySettings) -> Floats:
    sets = np.split(dealt, np.cumsum(sizes)[:-1])
    values = [float(weighted_sparseness(found.vectors[s], found.c_w[s], settings.weights)) for s in sets]
    return np.array([*values, np.mean(values)])


def without_token_count(scores: Floats, pieces: npt.NDArray[np.int64]) -> Floats:
    """The scores with the mean of names of as many tokens replaced, word by word, by the mean of all names.

    A long name fills the sentence with its own tokens, so its scores differ whatever the model thinks of the place.
    """
    adjusted = scores + scores.mean(axis=0)
    for count in np.unique(pieces):
        same = pieces == count
        adjusted[same] -= scores[same].mean(axis=0)
    return np.asarray(adjusted)


def against_template(scores: Floats, neutral: Floats) -> Floats:
    """The log-likelihood ratio f(S with the region) - f(S with a phrase that names none), word by word."""
    return scores - neutral
