"""The headline result: the tree evaluated on all words, and without each block of words, which gives intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.methods.base import FEW_UNITS, plural
from tacit.methods.hierarchy.answers import AnswerArrays
from tacit.methods.hierarchy.evaluate import Evaluation, evaluate, sibling_distances
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials, Word
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Booleans, Ints, Tree
from tacit.statistics import Interval, JackknifeInterval, jackknife_interval

__all__ = [
    "C_W",
    "C_Z",
    "PLAIN",
    "SIGNIFICANT",
    "UNDECIDED",
    "WORD",
    "Headline",
    "compute_headline",
    "deal_blocks",
    "evaluate_without",
    "parts_used",
]

# Names of measures and verdicts, as the measures table has them.
C_W, C_Z, PLAIN = "C_w", "C_z", "plain sparseness"
UNDECIDED = "undecided"
WORD = "word"
SIGNIFICANT = 0.05

# Twenty blocks give 19 degrees of freedom; more evaluations of the tree would narrow no interval noticeably.
_MOST_BLOCKS = 20
# A region's vector needs two words, also without one block.
_FEWEST_BLOCKS = 3


@dataclass(frozen=True)
class Headline:
    """What the rows of all tables are computed from.

    Attributes:
        kept: Which words remain without each block of words: (blocks, words).
        c_w: C_w of each region and, last, of the root without each block: (blocks, regions + 1).
        c_z: C_z likewise.
    """

    materials: HierarchyMaterials
    settings: HierarchySettings
    answers: AnswerArrays
    evaluation: Evaluation
    kept: Booleans
    c_w: Floats
    c_z: Floats

    @property
    def tree(self) -> Tree:
        """The tree of the materials."""
        return self.materials.tree

    @property
    def groups(self) -> list[str]:
        """The labels of the top regions and, last, of the whole."""
        return self.materials.headings(self.settings)

    @cached_property
    def sibling_distances(self) -> Floats:
        """The distance of each region's own vector from the centroid of its siblings; NaN for an only child."""
        return sibling_distances(self.tree, self.answers.scores)

    def parts(self, region: int) -> Ints:
        """The sub-regions that enter the C_w of a region (or of the root)."""
        return parts_used(self.tree, self.evaluation, region, self.settings)

    def parts_without_c(self, region: int) -> int:
        """How many of these have no C of their own, and take their siblings' mean as weight."""
        return int(np.isnan(self.evaluation.c_w[self.parts(region)]).sum())

    def caution(self, region: int) -> str | None:
        """Why the C_w of a region must be read with care: few words, or few parts."""
        words, parts = len(self.materials.words), self.parts(region)
        level = self.tree.regions[int(parts[0])].level if len(parts) else "part"
        few = {WORD: words, level: len(parts)}
        reasons = [f"{n} {noun if n == 1 else plural(noun)}" for noun, n in few.items() if n < FEW_UNITS]
        return f"only {' and '.join(reasons)}" if reasons else None

    def interval(self, value: float, without: Floats, *, positive: bool = True) -> JackknifeInterval:
        """The interval of a value over words, from its values without each block of them; NaN where there is none."""
        words, confidence = len(self.materials.words), self.settings.confidence
        return jackknife_interval(value, without, n=words, confidence=confidence, positive=positive)

    def interval_or_value(self, value: float, without: Floats) -> Interval | float | None:
        """What a row of the measures shows: the interval, the value alone where there is none, or nothing."""
        if np.isnan(value):
            return None
        interval = self.interval(value, without)
        return value if np.isnan(interval.low) else interval


def compute_headline(materials: HierarchyMaterials, settings: HierarchySettings, answers: AnswerArrays) -> Headline:
    """Evaluate the tree on all words, and without each block of them."""
    kept = deal_blocks(materials.words, settings.seed)
    evaluation = evaluate(materials.tree, answers.scores, answers.names, settings)
    c_w, c_z = evaluate_without(kept, materials.tree, answers.scores, answers.names, settings)
    return Headline(materials, settings, answers, evaluation, kept, c_w, c_z)


def deal_blocks(words: Sequence[Word], seed: int) -> Booleans:
    """Deal the words into blocks, and say which words remain without each block: (blocks, words).

    Distinct words are dealt in turn, topic by topic and in random order within a topic, so that every block has words
    of each topic. A word that belongs to two topics is one word. Fewer than three words make no blocks.
    """
    topics = {word.word: word.topic for word in reversed(words)}
    names = np.random.default_rng([seed, len(words)]).permutation(sorted(topics)).tolist()
    order = {topic: place for place, topic in enumerate(dict.fromkeys(word.topic for word in words))}
    count = min(_MOST_BLOCKS, len(names))
    if count < _FEWEST_BLOCKS:
        return np.empty((0, len(words)), dtype=np.bool_)
    dealt = sorted(names, key=lambda name: order[topics[name]])
    block = {name: place % count for place, name in enumerate(dealt)}
    return np.asarray(np.array([block[word.word] for word in words]) != np.arange(count)[:, None])


def evaluate_without(
    kept: Booleans, tree: Tree, scores: Floats, names: Floats, settings: HierarchySettings
) -> tuple[Floats, Floats]:
    """C_w and C_z of each region and, last, of the root without each block of words: (blocks, regions + 1)."""
    shape = (len(kept), len(tree) + 1)
    evaluations = [evaluate(tree, scores[:, words], names, settings) for words in kept]
    c_w, c_z = ([each.c_w for each in evaluations], [each.c_z for each in evaluations])
    return np.reshape(c_w, shape), np.reshape(c_z, shape)


def parts_used(tree: Tree, evaluation: Evaluation, region: int, settings: HierarchySettings) -> Ints:
    """The sub-regions that enter the C_w of a region: all of them, or those that have a C of their own."""
    parts = np.flatnonzero(tree.parents == region)
    return parts if settings.single != "undefined" else parts[~np.isnan(evaluation.c_w[parts])]
