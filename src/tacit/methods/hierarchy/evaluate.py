"""HERB over a whole tree: from sentence scores to C of every region, under the switches in the settings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.methods.hierarchy.formulas import (
    Floats,
    aggregated_vector,
    alpha_share,
    alpha_softmax,
    centroid,
    descriptive_vector,
    dimension_sparseness,
    distance_to_centroid,
    grouped_sparseness,
    last_pair_sparseness,
    sparseness,
    weighted_sparseness,
)
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Booleans, Ints, Tree

__all__ = [
    "Evaluation",
    "evaluate",
    "group_c_w",
    "plain_sparseness",
    "plain_sparseness_without",
    "sibling_distances",
]

_MOST_PAIRS = 20_000
_PAIRS_PER_BLOCK = 2_000


@dataclass(frozen=True)
class Evaluation:
    """The result for one set of scores.

    Attributes:
        c_w: C_w of each region and, last, of the root: (regions + 1,), NaN where undefined.
        c_z: C_z likewise.
        vectors: The aggregated vector V of each region: (regions, words).
        compared: V as the level above compares it: normalized again in the reference code, otherwise the same.
        alpha_departure: The largest difference of any alpha from 1/n, as a share of 1/n.
    """

    c_w: Floats
    c_z: Floats
    vectors: Floats
    compared: Floats
    alpha_departure: float


def evaluate(tree: Tree, scores: Floats, names: Floats, settings: HierarchySettings) -> Evaluation:
    """Compute C_w, C_z and V of all regions, from the lowest level up.

    Args:
        tree: The regions.
        scores: f of each region's sentence with each word: (regions, words).
        names: f of each region's bare name: (regions,).
        settings: The switches.
    """
    own = _own_vectors(tree, scores, settings)
    vectors = own.copy()
    c_w = np.full(len(tree) + 1, np.nan)
    c_z = np.full(len(tree) + 1, np.nan)
    if settings.single == "zero":
        c_w[tree.childless] = c_z[tree.childless] = 0.0
    elif settings.single == "siblings":
        # A region without sub-regions is its own only part, so that its V has the length of all others.
        vectors[tree.childless] += own[tree.childless] / own.shape[-1]
    departures = [0.0]
    for depth in range(tree.deepest, -1, -1):
        for group in tree.siblings[depth]:
            lowest = depth == tree.deepest
            if lowest:
                c_w[group.children] = c_z[group.children] = _leaf_values(own[group.children], settings)
            children = _children(own[group.children], vectors[group.children], settings, lowest=lowest)
            name_scores = _name_scores(names[group.children], settings)
            c_w[group.parents] = _group_values(children.compared, c_w[group.children], settings)
            c_z[group.parents] = _group_values(children.compared, name_scores, settings)
            if group.parents[0] < len(tree):
                alpha = _alpha(children.weighed, settings)
                vectors[group.parents] = _aggregated(own[group.parents], alpha, children, settings)
                departures.append(float(np.abs(alpha * alpha.shape[-1] - 1).max()))
    compared = vectors if settings.vectors == "own" else descriptive_vector(vectors)
    return Evaluation(c_w, c_z, vectors, compared, max(departures))


def group_c_w(evaluation: Evaluation, regions: Ints, member: Booleans, settings: HierarchySettings) -> Floats:
    """C_w of any groups of regions, which keep the V and C that they have in the tree.

    Args:
        evaluation: The evaluated tree.
        regions: Indices in the tree; under `single=undefined` only regions that have a C.
        member: Which of these regions each group has: (groups, regions).
        settings: The switches.
    """
    scores = np.where(member, evaluation.c_w[regions], 0.0)
    if settings.single == "siblings":
        scores = np.where(member, _fill_with_mean(np.where(member, evaluation.c_w[regions], np.nan)), 0.0)
    values = grouped_sparseness(evaluation.compared[regions], np.where(member, np.exp(scores), 0.0))
    sizes = member.sum(axis=-1)
    return values / (sizes * (sizes - 1) / 2) if settings.weights == "per-pair" else values


def plain_sparseness(tree: Tree, scores: Floats) -> Floats:
    """The sparseness of each top region with everything below it and, last, of all regions (Table 2)."""
    vectors = descriptive_vector(scores)
    return np.array([float(sparseness(vectors[cluster])) for cluster in _clusters(tree)])


def plain_sparseness_without(tree: Tree, scores: Floats, kept: Booleans, seed: int) -> Floats:
    """The plain sparseness without each block of words, as a share of that with all words: (blocks, clusters).

    It comes from at most 20,000 random pairs per cluster, the same with and without the block. The squared distance of
    two unit vectors is 2 - 2 sum(f_1i f_2i) / sqrt(sum(f_1i^2) sum(f_2i^2)), with sums over the words that remain: one
    matrix product for all blocks.
    """
    words = np.vstack([np.ones(scores.shape[1]), kept]).T
    lengths = np.sqrt(scores**2 @ words)
    generator = np.random.default_rng([seed, len(tree)])
    means = [_mean_distances(scores, words, lengths, *_sample_pairs(each, generator)) for each in _clusters(tree)]
    with np.errstate(invalid="ignore"):
        return np.array([values[1:] / values[0] for values in means]).T


def _clusters(tree: Tree) -> list[Ints]:
    return [*(np.flatnonzero(tree.top_of == top) for top in tree.top.tolist()), np.arange(len(tree))]


def _sample_pairs(cluster: Ints, generator: np.random.Generator) -> tuple[Ints, Ints]:
    size = len(cluster)
    if size * (size - 1) // 2 <= _MOST_PAIRS:
        first, second = np.triu_indices(size, 1)
    else:
        first = generator.integers(0, size, _MOST_PAIRS)
        second = (first + generator.integers(1, size, _MOST_PAIRS)) % size
    return cluster[first], cluster[second]


def _mean_distances(scores: Floats, words: Floats, lengths: Floats, first: Ints, second: Ints) -> Floats:
    total = np.zeros(words.shape[1])
    for start in range(0, len(first), _PAIRS_PER_BLOCK):
        a, b = first[start : start + _PAIRS_PER_BLOCK], second[start : start + _PAIRS_PER_BLOCK]
        cosine = (scores[a] * scores[b]) @ words / (lengths[a] * lengths[b])
        total += np.sqrt(np.maximum(2 - 2 * cosine, 0)).sum(axis=0)
    return total / max(len(first), 1)


def sibling_distances(tree: Tree, scores: Floats) -> Floats:
    """The distance of each region's own vector from the centroid of its siblings; NaN for an only child."""
    vectors = descriptive_vector(scores)
    distances = np.full(len(vectors), np.nan)
    for groups in tree.siblings:
        for group in groups:
            if group.children.shape[1] > 1:
                distances[group.children] = distance_to_centroid(vectors[group.children])
    return distances


@dataclass(frozen=True)
class _Children:
    """The sub-regions' vectors as they enter alpha (weighed), the centroid (averaged) and the distances (compared)."""

    weighed: Floats
    averaged: Floats
    compared: Floats


def _own_vectors(tree: Tree, scores: Floats, settings: HierarchySettings) -> Floats:
    own = descriptive_vector(scores)
    if settings.vectors == "renormalised":
        upper = tree.depths < tree.deepest - 1
        own[upper] = scores[upper]
    return own


def _children(own: Floats, aggregated: Floats, settings: HierarchySettings, *, lowest: bool) -> _Children:
    if settings.vectors == "own":
        return _Children(own, own, aggregated)
    if lowest:
        return _Children(own, own, own)
    unit = descriptive_vector(aggregated)
    return _Children(aggregated, unit, unit)


def _leaf_values(own: Floats, settings: HierarchySettings) -> Floats:
    if own.shape[-2] == 1:
        return np.full(own.shape[:-1], 0.0 if settings.single == "zero" else np.nan)
    distances = distance_to_centroid(own)
    if settings.leaf == "last-zero":
        distances[..., -1] = 0.0
    return distances


def _name_scores(names: Floats, settings: HierarchySettings) -> Floats:
    if settings.z == "all":
        return names
    last_only = np.zeros_like(names)
    last_only[..., -1] = names[..., -1]
    return last_only


def _group_values(vectors: Floats, scores: Floats, settings: HierarchySettings) -> Floats:
    """C of each set of siblings.

    Args:
        vectors: V of the siblings: (sets, siblings, words).
        scores: Their C or name scores, NaN where undefined: (sets, siblings).
        settings: Whether siblings without a score are left out, or weighted by the mean score of the others.
    """
    if vectors.shape[-2] == 1:
        return np.full(len(vectors), 0.0 if settings.single == "zero" else np.nan)
    if settings.single == "siblings":
        scores = _fill_with_mean(scores)
    known = ~np.isnan(scores)
    values = np.full(len(vectors), np.nan)
    complete = known.all(axis=-1)
    values[complete] = weighted_sparseness(vectors[complete], scores[complete], settings.weights)
    for i in np.flatnonzero(~complete & (known.sum(axis=-1) >= 2)):
        values[i] = weighted_sparseness(vectors[i, known[i]], scores[i, known[i]], settings.weights)
    return values


def _fill_with_mean(scores: Floats) -> Floats:
    """Give siblings without a score the mean of the others.

    A pair weighs exp(s_1 + s_2), so a mean score makes its factor exp(s) the geometric mean of the siblings' factors:
    the region neither raises nor lowers the weight of its pairs. Without any score all pairs weigh the same.
    """
    known = ~np.isnan(scores)
    means = np.where(known, scores, 0.0).sum(axis=-1) / np.maximum(known.sum(axis=-1), 1)
    return np.where(known, scores, means[..., None])


def _alpha(children: Floats, settings: HierarchySettings) -> Floats:
    words = children.shape[-1]
    if settings.alpha == "uniform" or children.shape[-2] == 1:
        return np.full((len(children), words), 1.0 / words)
    if settings.alpha == "last-pair":
        return alpha_softmax(last_pair_sparseness(children))
    dimensions = dimension_sparseness(children)
    return alpha_share(dimensions) if settings.alpha == "share" else alpha_softmax(dimensions)


def _aggregated(own: Floats, alpha: Floats, children: _Children, settings: HierarchySettings) -> Floats:
    if children.averaged.shape[-2] > 1 or settings.single == "siblings":
        return aggregated_vector(own, alpha, centroid(children.averaged))
    return own + children.averaged[..., 0, :] if settings.single == "zero" else own
