"""A tree of regions (or religions, professions): read from rows of name and parent, checked, cut to size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.tables import Row, read_csv, refuse

__all__ = ["WITHIN", "Siblings", "Tree", "read_tree"]

WITHIN = " > "
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Region:
    """One row of the tree. Its key is its path from the top, so that Georgia and Georgia stay two."""

    key: str
    name: str
    parent: str
    level: str
    population: int
    code: str
    line: int


@dataclass(frozen=True, slots=True)
class Siblings:
    """All sets of siblings of one size at one depth: the parents (g,) and their children (g, n)."""

    parents: Ints
    children: Ints


@dataclass(frozen=True)
class Tree:
    """Regions, a parent before its children. The number `len(tree)` stands for the whole, parent of the top regions."""

    regions: tuple[Region, ...]
    root: str = "overall"
    parents: Ints = field(init=False)
    depths: Ints = field(init=False)

    def __post_init__(self) -> None:
        place = {region.key: i for i, region in enumerate(self.regions)}
        parents = [place.get(region.parent, len(self.regions)) for region in self.regions]
        object.__setattr__(self, "parents", np.array(parents, dtype=np.int64))
        object.__setattr__(self, "depths", np.array([r.key.count(WITHIN) for r in self.regions], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.regions)

    @property
    def deepest(self) -> int:
        """The depth of the lowest level; the top is 0."""
        return int(self.depths.max())

    @cached_property
    def top(self) -> Ints:
        """The regions that the headline compares: the top level, or the level under a single top region."""
        first = np.flatnonzero(self.depths == 0)
        return np.flatnonzero(self.depths == 1) if len(first) == 1 and self.deepest > 0 else first

    @property
    def whole(self) -> int:
        """The place of the overall value: the one top region, or the added root."""
        return 0 if int(self.depths[self.top[0]]) == 1 else len(self)

    @cached_property
    def siblings(self) -> list[list[Siblings]]:
        """For each depth, the sets of siblings by their size: sets of one size are computed together."""
        found: list[list[Siblings]] = []
        for depth in range(self.deepest + 1):
            sets: dict[int, list[int]] = defaultdict(list)
            for child in np.flatnonzero(self.depths == depth).tolist():
                sets[int(self.parents[child])].append(child)
            sizes: dict[int, list[int]] = defaultdict(list)
            for parent, children in sets.items():
                sizes[len(children)].append(parent)
            found.append([Siblings(np.array(p), np.array([sets[i] for i in p])) for _, p in sorted(sizes.items())])
        return found

    @cached_property
    def childless(self) -> Ints:
        """The regions above the lowest level that have no sub-regions."""
        without = np.setdiff1d(np.arange(len(self)), self.parents)
        return without[self.depths[without] < self.deepest]

    def top_of(self) -> Ints:
        """For each region, the top region that it lies in (itself for a top region, -1 above them)."""
        found = np.full(len(self), -1, dtype=np.int64)
        found[self.top] = self.top
        level = int(self.depths[self.top[0]])
        for depth in range(level + 1, self.deepest + 1):
            here = np.flatnonzero(self.depths == depth)
            found[here] = found[self.parents[here]]
        return found

    def level_of(self, depth: int) -> str:
        """What the regions at a depth are called: "country"."""
        return next(region.level for region, at in zip(self.regions, self.depths, strict=True) if at == depth)

    def upper(self, levels: int) -> tuple[Tree, Ints]:
        """The tree of the first levels alone, and where its regions stand in this one."""
        kept = np.flatnonzero(self.depths < levels)
        return Tree(tuple(self.regions[i] for i in kept.tolist()), self.root), kept

    def largest(self, limits: dict[int, int]) -> Tree:
        """The tree with at most so many children a region at some depths, the most populous, in the file's order."""
        kept: set[str] = {""}
        for depth in range(self.deepest + 1):
            rows = [r for r, at in zip(self.regions, self.depths, strict=True) if at == depth and r.parent in kept]
            kept |= {region.key for region in _largest(rows, limits.get(depth))}
        return Tree(tuple(region for region in self.regions if region.key in kept), self.root)


def _largest(rows: Sequence[Region], limit: int | None) -> list[Region]:
    if limit is None:
        return list(rows)
    by_parent: dict[str, list[Region]] = defaultdict(list)
    for region in rows:
        by_parent[region.parent].append(region)
    return [r for siblings in by_parent.values() for r in sorted(siblings, key=lambda r: -r.population)[:limit]]


def read_tree(path: Path, root: str = "overall") -> Tree:
    """The tree of a CSV with the columns name and parent, and optionally level, population, iso and id.

    A parent is named by its own name, or by its path ("Europe > Georgia") where that name occurs twice.
    """
    rows = read_csv(path, ["name", "parent"], ["level", "population", "iso", "id"])
    for row in rows:
        if not row["name"]:
            raise refuse(path, row, "the name is empty; every row names one region.")
        if WITHIN in row["name"]:
            raise refuse(
                path, row, f"the name {row['name']!r} contains {WITHIN!r}, which separates the parts of a path."
            )
    parents = _parents(path, rows)
    keys = _keys(path, rows, parents)
    regions = [
        Region(
            key=keys[i],
            name=row["name"],
            parent=keys[parents[i]] if parents[i] >= 0 else "",
            level=row["level"] or f"level {keys[i].count(WITHIN) + 1}",
            population=_population(path, row),
            code=row["iso"],
            line=int(row["line"]),
        )
        for i, row in enumerate(rows)
    ]
    if len(regions) < 2 or not any(region.parent == "" for region in regions):
        raise TacitError(f"{path} holds one region only: a tree has at least two.")
    return Tree(tuple(sorted(regions, key=lambda region: region.key.count(WITHIN))), root)


def _population(path: Path, row: Row) -> int:
    try:
        return int(row["population"] or 0)
    except ValueError:
        raise refuse(path, row, f"population must be a whole number, not {row['population']!r}.") from None


def _parents(path: Path, rows: list[Row]) -> list[int]:
    """The row of each row's parent, -1 at the top."""
    named: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        named[row["name"]].append(i)
    found: dict[str, int] = {}

    def resolve(text: str, row: Row) -> int:
        if text not in found:
            found[text] = _only(path, row, text, _matching(text, rows, named))
        return found[text]

    return [resolve(row["parent"], row) if row["parent"] else -1 for row in rows]


def _matching(text: str, rows: list[Row], named: dict[str, list[int]]) -> list[int]:
    """The rows that a name or a path can mean: those whose own parent, as written, ends in the rest of the path."""
    rest, _, last = text.rpartition(WITHIN)
    candidates = named.get(last, [])
    if not rest:
        tops = [i for i in candidates if not rows[i]["parent"]]
        return tops if len(tops) == 1 and len(candidates) > 1 else candidates
    return [
        i
        for i in candidates
        if rows[i]["parent"] and (rest == rows[i]["parent"] or rest.endswith(WITHIN + rows[i]["parent"]))
    ]


def _only(path: Path, row: Row, text: str, matching: list[int]) -> int:
    if not matching:
        raise refuse(path, row, f"its parent {text!r} is no row of this file; add one, or correct the name.")
    if len(matching) > 1:
        problem = f"its parent {text!r} could be {len(matching)} rows; name it by its path, as in A{WITHIN}B."
        raise refuse(path, row, problem)
    return matching[0]


def _keys(path: Path, rows: list[Row], parents: list[int]) -> list[str]:
    """The path of each row from the top; rows that share a path are told apart by their ids, or refused."""
    paths = [_path_of(path, i, rows, parents) for i in range(len(rows))]
    seen: dict[str, list[int]] = defaultdict(list)
    for i, key in enumerate(paths):
        seen[key].append(i)
    parents_used = set(parents)
    for key, same in seen.items():
        if len(same) == 1:
            continue
        ids = [rows[i]["id"] for i in same]
        if len(set(ids)) < len(ids) or "" in ids or parents_used & set(same):
            first, second = rows[same[0]], rows[same[1]]
            where = f"{second['name']!r} stands under the same parent on line {first['line']}"
            raise refuse(path, second, f"{where}; keep one, or give both an id.")
        for i in same:
            paths[i] = f"{key} [{rows[i]['id']}]"
    return paths


def _path_of(path: Path, start: int, rows: list[Row], parents: list[int]) -> str:
    names: list[str] = []
    i = start
    while i >= 0:
        if len(names) > len(rows):
            raise refuse(
                path, rows[start], f"{rows[start]['name']!r} lies within itself: its parents go round in a circle."
            )
        names.append(rows[i]["name"])
        i = parents[i]
    return WITHIN.join(reversed(names))
