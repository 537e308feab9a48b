"""The headline result: the tree evaluated once on all words, and once for each resample of the words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.methods.hierarchy.answers import AnswerArrays
from tacit.methods.hierarchy.bootstrap import BootstrapValues, percentile_interval, resample_count, resample_tree
from tacit.methods.hierarchy.evaluate import Evaluation, evaluate
from tacit.methods.hierarchy.formulas import Floats, descriptive_vector, distance_to_centroid
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.statistics import Interval

__all__ = ["C_W", "C_Z", "MEAN_OF_TOPS", "PLAIN", "SHUFFLED", "TEMPLATE", "TOKENS", "Headline", "compute_headline"]

# Names of measures and groups, as the measures table has them.
C_W, C_Z, PLAIN = "C_w", "C_z", "plain sparseness"
TOKENS, TEMPLATE = "C_w, number of tokens evened out", "C_w, against the template alone"
SHUFFLED, MEAN_OF_TOPS = "C_w, beside a shuffled tree", "mean of the top regions"


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
        vectors = descriptive_vector(self.answers.scores)
        distances = np.full(len(vectors), np.nan)
        for groups in self.tree.siblings:
            for group in groups:
                if group.children.shape[1] > 1:
                    distances[group.children] = distance_to_centroid(vectors[group.children])
        return distances

    def interval(self, value: float, resampled: Floats) -> Interval | None:
        """The interval of a value over resampled words."""
        return percentile_interval(value, resampled, self.settings, len(self.materials.words))


def compute_headline(materials: HierarchyMaterials, settings: HierarchySettings, answers: AnswerArrays) -> Headline:
    """Evaluate the tree on all words and on each resample of them."""
    tree = materials.tree
    evaluation = evaluate(tree, answers.scores, answers.names, settings)
    bootstrap = resample_tree(tree, answers.scores, answers.names, settings, resample_count(tree, settings))
    return Headline(materials, settings, answers, evaluation, bootstrap)
