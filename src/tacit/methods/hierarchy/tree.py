"""A tree of regions (or religions, or professions), as arrays that can be computed on level by level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["PATH_SEPARATOR", "Booleans", "Ints", "Region", "Siblings", "Tree"]

PATH_SEPARATOR = " > "
Booleans = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Region:
    """One row of the tree.

    Attributes:
        key: Its path from the top ("Europe > Georgia"), which is unique even where names repeat.
        name: Its name, as it appears in sentences.
        parent: The key of its parent; empty at the top.
        level: What its level is called: "country".
        population: Decides which regions stay when the tree is cut; 0 if unknown.
        code: Its ISO 3166 country code; empty for none.
        line: Its line in the file.
    """

    key: str
    name: str
    parent: str
    level: str
    population: int
    code: str
    line: int


@dataclass(frozen=True, slots=True)
class Siblings:
    """All sets of siblings that have the same size and depth: parents as (sets,), children as (sets, size)."""

    parents: Ints
    children: Ints


@dataclass(frozen=True)
class Tree:
    """Regions in an order where parents precede children.

    A region is referred to by its index in `regions`; the index `len(tree)` stands for the root above the top level.
    """

    regions: tuple[Region, ...]
    root: str = "overall"
    parents: Ints = field(init=False)
    depths: Ints = field(init=False)

    def __post_init__(self) -> None:
        parents = [self.index.get(region.parent, len(self.regions)) for region in self.regions]
        depths = [region.key.count(PATH_SEPARATOR) for region in self.regions]
        object.__setattr__(self, "parents", np.array(parents, dtype=np.int64))
        object.__setattr__(self, "depths", np.array(depths, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.regions)

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each region, by its key."""
        return {region.key: i for i, region in enumerate(self.regions)}

    @property
    def deepest(self) -> int:
        """The depth of the lowest level; the highest has depth 0."""
        return int(self.depths.max())

    @cached_property
    def top(self) -> Ints:
        """The regions that the headline compares: the highest level, or the second if the highest has one region."""
        highest = np.flatnonzero(self.depths == 0)
        return np.flatnonzero(self.depths == 1) if len(highest) == 1 and self.deepest > 0 else highest

    @property
    def whole(self) -> int:
        """The index of the whole: the only region of the highest level, or the root."""
        return 0 if int(self.depths[self.top[0]]) == 1 else len(self)

    @property
    def headline(self) -> list[int]:
        """The top regions and, last, the whole."""
        return [*self.top.tolist(), self.whole]

    @property
    def depth_below_top(self) -> int:
        """The depth of the level below the top regions, or of the top regions if there is none."""
        return min(int(self.depths[self.top[0]]) + 1, self.deepest)

    @cached_property
    def siblings(self) -> list[list[Siblings]]:
        """For each depth, the sets of siblings grouped by size, so that equal sizes are computed at once."""
        return [self._siblings_at(depth) for depth in range(self.deepest + 1)]

    @cached_property
    def childless(self) -> Ints:
        """The regions above the lowest level that have no sub-regions."""
        without = np.setdiff1d(np.arange(len(self)), self.parents)
        return without[self.depths[without] < self.deepest]

    @cached_property
    def child_counts(self) -> Ints:
        """How many sub-regions each region has."""
        return np.bincount(self.parents, minlength=len(self) + 1)[:-1]

    @cached_property
    def top_of(self) -> Ints:
        """For each region, the top region that contains it: itself for a top region, -1 above them."""
        tops = np.full(len(self), -1, dtype=np.int64)
        tops[self.top] = self.top
        for depth in range(int(self.depths[self.top[0]]) + 1, self.deepest + 1):
            level = np.flatnonzero(self.depths == depth)
            tops[level] = tops[self.parents[level]]
        return tops

    def level_of(self, depth: int) -> str:
        """What the regions at a depth are called: "country"."""
        return self.regions[int(np.flatnonzero(self.depths == depth)[0])].level

    def upper(self, levels: int) -> Tree:
        """The tree of the first levels alone."""
        return Tree(tuple(self.regions[i] for i in np.flatnonzero(self.depths < levels).tolist()), self.root)

    def largest(self, limits: dict[int, int]) -> Tree:
        """The tree with at most so many children per region.

        Args:
            limits: The number to keep, by the children's depth; the most populous stay, in their old order.
        """
        kept: set[str] = {""}
        for depth in range(self.deepest + 1):
            level = [self.regions[i] for i in np.flatnonzero(self.depths == depth).tolist()]
            below_kept = [region for region in level if region.parent in kept]
            kept |= {region.key for region in _most_populous(below_kept, limits.get(depth))}
        return Tree(tuple(region for region in self.regions if region.key in kept), self.root)

    def _siblings_at(self, depth: int) -> list[Siblings]:
        children_of: dict[int, list[int]] = defaultdict(list)
        for child in np.flatnonzero(self.depths == depth).tolist():
            children_of[int(self.parents[child])].append(child)
        by_size: dict[int, list[int]] = defaultdict(list)
        for parent, children in children_of.items():
            by_size[len(children)].append(parent)
        return [
            Siblings(np.array(parents), np.array([children_of[parent] for parent in parents]))
            for _, parents in sorted(by_size.items())
        ]


def _most_populous(regions: Sequence[Region], limit: int | None) -> list[Region]:
    """The most populous regions of each parent; all of them without a limit."""
    if limit is None:
        return list(regions)
    by_parent: dict[str, list[Region]] = defaultdict(list)
    for region in regions:
        by_parent[region.parent].append(region)
    ranked = [sorted(siblings, key=lambda region: -region.population) for siblings in by_parent.values()]
    return [region for siblings in ranked for region in siblings[:limit]]
