"""HERB over a whole tree: from the scores of sentences to C of every region, under the rules that were set."""

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
from tacit.methods.hierarchy.tree import Siblings, Tree

__all__ = ["Evaluated", "evaluate", "plain"]


@dataclass(frozen=True)
class Evaluated:
    """C_w and C_z of each region and, last, of the whole (NaN where undefined); V; how far any alpha is from 1/n."""

    c_w: Floats
    c_z: Floats
    vectors: Floats
    alpha_departure: float


def evaluate(tree: Tree, scores: Floats, names: Floats, rules: HierarchySettings) -> Evaluated:
    """The tree from the bottom up. `scores` is f(S) of each region and word, `names` f of each bare name."""
    own = _own_vectors(tree, scores, rules)
    vectors = own.copy()
    c_w = np.full(len(tree) + 1, np.nan)
    c_z = np.full(len(tree) + 1, np.nan)
    if rules.single == "zero":
        c_w[tree.childless] = c_z[tree.childless] = 0.0
    departures = [0.0]
    for depth in range(tree.deepest, -1, -1):
        for group in tree.siblings[depth]:
            lowest = depth == tree.deepest
            if lowest:
                c_w[group.children] = c_z[group.children] = _leaves(own[group.children], rules)
            children = _children(vectors, own, group, rules, lowest)
            c_w[group.parents] = _weighted(children.compared, c_w[group.children], rules)
            c_z[group.parents] = _weighted(children.compared, _name_scores(names[group.children], rules), rules)
            if group.parents[0] < len(tree):
                alpha = _alpha(children.weighed, rules)
                vectors[group.parents] = _aggregated(own[group.parents], alpha, children, rules)
                departures.append(float(np.abs(alpha * alpha.shape[-1] - 1).max()))
    return Evaluated(c_w, c_z, vectors, max(departures))


def plain(tree: Tree, scores: Floats) -> Floats:
    """The sparseness of each top region's cluster, itself and all below it, and last of all regions (Table 2)."""
    vectors = descriptive_vector(scores)
    inside = tree.top_of()
    clusters = [vectors[inside == top] for top in tree.top.tolist()]
    return np.array([float(sparseness(cluster)) for cluster in [*clusters, vectors]])


@dataclass(frozen=True)
class _Children:
    """The sub-regions' vectors as they enter alpha, the centroid, and the distances."""

    weighed: Floats
    averaged: Floats
    compared: Floats


def _own_vectors(tree: Tree, scores: Floats, rules: HierarchySettings) -> Floats:
    own = descriptive_vector(scores)
    if rules.vectors == "renormalised":
        raw = tree.depths < tree.deepest - 1
        own[raw] = scores[raw]
    return own


def _children(vectors: Floats, own: Floats, group: Siblings, rules: HierarchySettings, lowest: bool) -> _Children:
    own, aggregated = own[group.children], vectors[group.children]
    if rules.vectors == "own":
        return _Children(own, own, aggregated)
    if lowest:
        return _Children(own, own, own)
    unit = descriptive_vector(aggregated)
    return _Children(aggregated, unit, unit)


def _leaves(own: Floats, rules: HierarchySettings) -> Floats:
    if own.shape[-2] == 1:
        return np.full(own.shape[:-1], np.nan if rules.single == "undefined" else 0.0)
    found = distance_to_centroid(own)
    if rules.leaf == "last-zero":
        found[..., -1] = 0.0
    return found


def _name_scores(names: Floats, rules: HierarchySettings) -> Floats:
    if rules.z == "all":
        return names
    only = np.zeros_like(names)
    only[..., -1] = names[..., -1]
    return only


def _weighted(vectors: Floats, scores: Floats, rules: HierarchySettings) -> Floats:
    """C of each set of siblings; those without a score of their own take no part."""
    if vectors.shape[-2] == 1:
        return np.full(len(vectors), np.nan if rules.single == "undefined" else 0.0)
    known = ~np.isnan(scores)
    found = np.full(len(vectors), np.nan)
    whole = known.all(axis=-1)
    found[whole] = weighted_sparseness(vectors[whole], scores[whole], rules.weights)
    for i in np.flatnonzero(~whole & (known.sum(axis=-1) >= 2)):
        found[i] = weighted_sparseness(vectors[i, known[i]], scores[i, known[i]], rules.weights)
    return found


def _alpha(children: Floats, rules: HierarchySettings) -> Floats:
    words = children.shape[-1]
    if rules.alpha == "uniform" or children.shape[-2] == 1:
        return np.full((len(children), words), 1.0 / words)
    if rules.alpha == "last-pair":
        return alpha_softmax(last_pair_sparseness(children))
    dimensions = dimension_sparseness(children)
    return alpha_share(dimensions) if rules.alpha == "share" else alpha_softmax(dimensions)


def _aggregated(own: Floats, alpha: Floats, children: _Children, rules: HierarchySettings) -> Floats:
    if children.averaged.shape[-2] > 1:
        return aggregated_vector(own, alpha, centroid(children.averaged))
    return own + children.averaged[..., 0, :] if rules.single == "zero" else own
