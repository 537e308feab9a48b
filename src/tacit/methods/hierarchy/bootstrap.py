"""How far HERB's figures hang on which words were chosen: the words are drawn anew, and the tree computed again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.statistics import Interval

__all__ = ["Redrawn", "draws", "interval", "redraw", "redraw_plain", "resamples_for"]

# Above this size a tree takes seconds instead of hundredths of one, and is drawn a tenth as often.
_LARGE = 5_000
_PAIRS = 20_000


@dataclass(frozen=True)
class Redrawn:
    """C_w and C_z of the top regions and, last, of the whole: (draws, regions + 1); and C_w of every upper region."""

    c_w: Floats
    c_z: Floats
    upper: dict[int, Floats]


def resamples_for(tree: Tree, settings: HierarchySettings, share: int = 1) -> int:
    """How often to draw: as set for the headline, less often for a large tree or a side study; tables say how often."""
    slower = 10 if len(tree) > _LARGE else 1
    return max(2, settings.resamples // slower // share)


def draws(words: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """The words of each draw, with replacement."""
    generator = np.random.default_rng([seed, words])
    for _ in range(resamples):
        yield generator.integers(0, words, words)


def redraw(tree: Tree, scores: Floats, names: Floats, settings: HierarchySettings, resamples: int) -> Redrawn:
    """The tree's figures under each draw of words."""
    shown = [*tree.top.tolist(), tree.whole]
    upper = np.flatnonzero(tree.depths <= tree.depths[tree.top[0]] + 1)
    found: list[tuple[Floats, ...]] = []
    for drawn in draws(scores.shape[1], resamples, settings.seed):
        evaluated = evaluate(tree, scores[:, drawn], names, settings)
        found.append((evaluated.c_w[shown], evaluated.c_z[shown], evaluated.c_w[upper]))
    c_w, c_z, uppers = (np.array(part) for part in zip(*found, strict=True))
    return Redrawn(c_w, c_z, {int(place): uppers[:, i] for i, place in enumerate(upper)})


def redraw_plain(tree: Tree, scores: Floats, settings: HierarchySettings) -> Floats:
    """The plain sparseness under each draw, from a sample of at most 20,000 pairs a cluster: (draws, clusters).

    A draw weighs word i with its count k_i, so the squared distance of two unit vectors is
    2 - 2 sum(k_i f_1i f_2i) / sqrt(sum(k_i f_1i^2) sum(k_i f_2i^2)): one matrix product for all draws.
    """
    words = scores.shape[1]
    counts = np.array(
        [np.bincount(drawn, minlength=words) for drawn in draws(words, settings.resamples, settings.seed)]
    )
    lengths = np.sqrt(scores**2 @ counts.T)
    inside = tree.top_of()
    generator = np.random.default_rng([settings.seed, len(tree)])
    clusters = [*(np.flatnonzero(inside == top) for top in tree.top.tolist()), np.arange(len(tree))]
    return np.array([_plain(scores, counts, lengths, _pairs(cluster, generator)) for cluster in clusters]).T


def _pairs(cluster: npt.NDArray[np.int64], generator: np.random.Generator) -> tuple[npt.NDArray[np.int64], ...]:
    count = len(cluster)
    if count * (count - 1) // 2 <= _PAIRS:
        first, second = np.triu_indices(count, 1)
    else:
        first = generator.integers(0, count, _PAIRS)
        second = (first + generator.integers(1, count, _PAIRS)) % count
    return cluster[first], cluster[second]


def _plain(
    scores: Floats, counts: npt.NDArray[np.int64], lengths: Floats, pairs: tuple[npt.NDArray[np.int64], ...]
) -> Floats:
    total = np.zeros(len(counts))
    for start in range(0, len(pairs[0]), 2_000):
        first, second = pairs[0][start : start + 2_000], pairs[1][start : start + 2_000]
        cosine = (scores[first] * scores[second]) @ counts.T / (lengths[first] * lengths[second])
        total += np.sqrt(np.maximum(2 - 2 * cosine, 0)).sum(axis=0)
    return total / max(len(pairs[0]), 1)


def interval(value: float, redrawn: Floats, settings: HierarchySettings, words: int) -> Interval | None:
    """The percentile interval around a value; None where the value is undefined."""
    known = redrawn[~np.isnan(redrawn)]
    if np.isnan(value) or not len(known):
        return None
    tail = (1 - settings.confidence) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    undefined = len(redrawn) - len(known)
    return Interval(float(value), float(low), float(high), settings.confidence, words, "percentile", undefined)
