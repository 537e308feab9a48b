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
    last_pair_sparseness,
    sparseness,
    weighted_sparseness,
)
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree

__all__ = ["Evaluation", "evaluate", "group_values", "plain_sparseness", "sibling_distances"]


@dataclass(frozen=True)
class Evaluation:
    """The result for one set of scores.

    Attributes:
        c_w: C_w of each region and, last, of the root: (regions + 1,), NaN where undefined.
        c_z: C_z likewise.
        vectors: The aggregated vector V of each region: (regions, words).
        alpha_departure: The largest difference of any alpha from 1/n, as a share of 1/n.
    """

    c_w: Floats
    c_z: Floats
    vectors: Floats
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
            c_w[group.parents] = group_values(children.compared, c_w[group.children], settings)
            c_z[group.parents] = group_values(children.compared, name_scores, settings)
            if group.parents[0] < len(tree):
                alpha = _alpha(children.weighed, settings)
                vectors[group.parents] = _aggregated(own[group.parents], alpha, children, settings)
                departures.append(float(np.abs(alpha * alpha.shape[-1] - 1).max()))
    return Evaluation(c_w, c_z, vectors, max(departures))


def plain_sparseness(tree: Tree, scores: Floats) -> Floats:
    """The sparseness of each top region with everything below it and, last, of all regions (Table 2)."""
    vectors = descriptive_vector(scores)
    clusters = [vectors[tree.top_of == top] for top in tree.top.tolist()]
    return np.array([float(sparseness(cluster)) for cluster in [*clusters, vectors]])


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


def group_values(vectors: Floats, scores: Floats, settings: HierarchySettings) -> Floats:
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
