"""The headline result: the tree evaluated once on all words, and once for each resample of the words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.methods.base import FEW_UNITS, plural
from tacit.methods.hierarchy.answers import AnswerArrays
from tacit.methods.hierarchy.bootstrap import BootstrapValues, percentile_interval, resample_count, resample_tree
from tacit.methods.hierarchy.controls import parts_used
from tacit.methods.hierarchy.evaluate import Evaluation, evaluate, sibling_distances
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree
from tacit.statistics import Interval

__all__ = [
    "C_W",
    "C_Z",
    "HIGHEST",
    "LESS_ALIKE",
    "MEAN_OF_TOPS",
    "MORE_ALIKE",
    "PLAIN",
    "SHUFFLED",
    "SIGNIFICANT",
    "TEMPLATE",
    "TOKENS",
    "UNDECIDED",
    "WORD",
    "Headline",
    "compute_headline",
]

# Names of measures and groups, as the measures table has them.
C_W, C_Z, PLAIN = "C_w", "C_z", "plain sparseness"
TOKENS, TEMPLATE = "C_w, number of tokens evened out", "C_w, against the template alone"
SHUFFLED, MEAN_OF_TOPS = "C_w, beside a shuffled tree", "mean of the top regions"
HIGHEST = "C_w, highest above the next"
WORD = "word"
# Verdicts, as the measures table has them.
MORE_ALIKE, LESS_ALIKE, UNDECIDED = "more alike than at random", "less alike than at random", "undecided"
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Headline:
    """What the rows of all tables are computed from."""

    materials: HierarchyMaterials
    settings: HierarchySettings
    answers: AnswerArrays
    evaluation: Evaluation
    bootstrap: BootstrapValues

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

    def interval(self, value: float, resampled: Floats) -> Interval | None:
        """The interval of a value over resampled words."""
        return percentile_interval(value, resampled, self.settings, len(self.materials.words))


def compute_headline(materials: HierarchyMaterials, settings: HierarchySettings, answers: AnswerArrays) -> Headline:
    """Evaluate the tree on all words and on each resample of them."""
    tree = materials.tree
    evaluation = evaluate(tree, answers.scores, answers.names, settings)
    bootstrap = resample_tree(tree, answers.scores, answers.names, settings, resample_count(tree, settings))
    return Headline(materials, settings, answers, evaluation, bootstrap)
