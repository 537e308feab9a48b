"""How much the results depend on the choice of words: resample the words and compute the tree again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree
from tacit.statistics import Interval
from tacit.statistics.intervals import interval_from

__all__ = [
    "BootstrapValues",
    "percentile_interval",
    "resample_count",
    "resample_plain_sparseness",
    "resample_tree",
    "resampled_words",
]

# A tree larger than this takes seconds instead of hundredths of a second, so it gets a tenth of the resamples.
_LARGE_TREE = 5_000
_MOST_PAIRS = 20_000
_PAIRS_PER_BLOCK = 2_000


@dataclass(frozen=True)
class BootstrapValues:
    """The values of each resample.

    Attributes:
        c_w: C_w of the top regions and, last, of the whole: (resamples, top regions + 1).
        c_z: C_z likewise.
        upper: C_w of the regions down to one level below the top, by index: (resamples,) each.
    """

    c_w: Floats
    c_z: Floats
    upper: dict[int, Floats]


@dataclass(frozen=True)
class _Pairs:
    """Pairs of regions, as indices in the tree."""

    first: Ints
    second: Ints


def resample_count(tree: Tree, settings: HierarchySettings, divisor: int = 1) -> int:
    """How many resamples to take: the setting, divided for side studies (`divisor`) and again for a large tree."""
    return max(2, settings.resamples // (10 if len(tree) > _LARGE_TREE else 1) // divisor)


def resampled_words(words: int, resamples: int, seed: int) -> Iterator[Ints]:
    """The word indices of each resample, drawn with replacement."""
    generator = np.random.default_rng([seed, words])
    for _ in range(resamples):
        yield generator.integers(0, words, words)


def resample_tree(
    tree: Tree, scores: Floats, names: Floats, settings: HierarchySettings, resamples: int
) -> BootstrapValues:
    """Evaluate the tree once for each resample of the words."""
    upper = np.flatnonzero(tree.depths <= tree.depths[tree.top[0]] + 1)
    c_w, c_z = np.empty((2, resamples, len(tree.headline)))
    upper_c_w = np.empty((resamples, len(upper)))
    for i, columns in enumerate(resampled_words(scores.shape[1], resamples, settings.seed)):
        evaluation = evaluate(tree, scores[:, columns], names, settings)
        c_w[i], c_z[i] = evaluation.c_w[tree.headline], evaluation.c_z[tree.headline]
        upper_c_w[i] = evaluation.c_w[upper]
    return BootstrapValues(c_w, c_z, dict(zip(upper.tolist(), upper_c_w.T, strict=True)))


def resample_plain_sparseness(tree: Tree, scores: Floats, settings: HierarchySettings) -> Floats:
    """The plain sparseness of each resample, from at most 20,000 random pairs per cluster: (resamples, clusters).

    A resample weighs word i by its count k_i, so the squared distance of two unit vectors is
    2 - 2 sum(k_i f_1i f_2i) / sqrt(sum(k_i f_1i^2) sum(k_i f_2i^2)): one matrix product for all resamples.
    """
    words = scores.shape[1]
    resamples = resampled_words(words, settings.resamples, settings.seed)
    counts = np.array([np.bincount(columns, minlength=words) for columns in resamples])
    lengths = np.sqrt(scores**2 @ counts.T)
    generator = np.random.default_rng([settings.seed, len(tree)])
    clusters = [*(np.flatnonzero(tree.top_of == top) for top in tree.top.tolist()), np.arange(len(tree))]
    return np.array(
        [_mean_distances(scores, counts, lengths, _sample_pairs(cluster, generator)) for cluster in clusters]
    ).T


def percentile_interval(value: float, resampled: Floats, settings: HierarchySettings, n: int) -> Interval | None:
    """The percentile interval around a value; None if the value is undefined.

    Args:
        value: The value of the full data.
        resampled: Its values in the resamples; undefined ones are left out and counted.
        settings: For the confidence.
        n: How many units were resampled.
    """
    if np.isnan(value) or np.isnan(resampled).all():
        return None
    return interval_from(float(value), resampled, n, settings.confidence)


def _sample_pairs(cluster: Ints, generator: np.random.Generator) -> _Pairs:
    size = len(cluster)
    if size * (size - 1) // 2 <= _MOST_PAIRS:
        first, second = np.triu_indices(size, 1)
    else:
        first = generator.integers(0, size, _MOST_PAIRS)
        second = (first + generator.integers(1, size, _MOST_PAIRS)) % size
    return _Pairs(cluster[first], cluster[second])


def _mean_distances(scores: Floats, counts: Ints, lengths: Floats, pairs: _Pairs) -> Floats:
    total = np.zeros(len(counts))
    for start in range(0, len(pairs.first), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        first, second = pairs.first[block], pairs.second[block]
        cosine = (scores[first] * scores[second]) @ counts.T / (lengths[first] * lengths[second])
        total += np.sqrt(np.maximum(2 - 2 * cosine, 0)).sum(axis=0)
    return total / max(len(pairs.first), 1)
