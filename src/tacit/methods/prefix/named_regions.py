"""Which regions of the tree are named: all of a level, the largest, or those that a user lists."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.methods.hierarchy.tree import PATH_SEPARATOR, Tree

__all__ = ["path_name", "select_regions"]

_NEAR = 3


def select_regions(path: Path, tree: Tree, level: str, regions: int | str | tuple[str, ...]) -> tuple[int, ...]:
    """The places in the tree of the regions to name.

    Args:
        path: The tree's file, for errors.
        tree: All regions.
        level: The level that a number or "all" counts, and on which a name is looked for first.
        regions: "all", the number of the most populous, or names, country codes or paths, of any level.
    """
    on_level = [i for i, region in enumerate(tree.regions) if region.level == level]
    if not on_level:
        levels = ", ".join(dict.fromkeys(region.level for region in tree.regions))
        raise MaterialsError(f"{path} has no level {level!r}. Set `level` to one of its levels: {levels}.")
    if isinstance(regions, tuple):
        return tuple(dict.fromkeys(_find(path, tree, level, name) for name in regions))
    if isinstance(regions, str):
        return tuple(on_level)
    return tuple(sorted(sorted(on_level, key=lambda i: -tree.regions[i].population)[:regions]))


def path_name(tree: Tree, index: int) -> str:
    """A region with the one above it, as people write it: "Cork, Ireland"; a top region is its name alone."""
    parent = int(tree.parents[index])
    name = tree.regions[index].name
    return name if parent == len(tree) else f"{name}, {tree.regions[parent].name}"


def _find(path: Path, tree: Tree, level: str, wanted: str) -> int:
    """The one region of that name, code or path: on the level if it is there, otherwise on the highest that has it."""
    keys = {region.key.casefold(): i for i, region in enumerate(tree.regions)}
    if wanted.casefold() in keys:
        return keys[wanted.casefold()]
    matches = [i for i, region in enumerate(tree.regions) if wanted.casefold() == region.name.casefold()] or [
        i for i, region in enumerate(tree.regions) if region.level == level and wanted == region.code
    ]
    if not matches:
        raise MaterialsError(f"{path} has no region {wanted!r}. {_near_names(tree, level, wanted)}")
    best = min((tree.regions[i].level != level, int(tree.depths[i])) for i in matches)
    matches = [i for i in matches if (tree.regions[i].level != level, int(tree.depths[i])) == best]
    # Two towns of one country with the same name give the same sentence.
    if len({int(tree.parents[i]) for i in matches}) > 1:
        paths = ", ".join(repr(tree.regions[i].key) for i in matches[:_NEAR])
        raise MaterialsError(f"{path} has {len(matches)} regions {wanted!r}. Write the path of one, such as {paths}.")
    return max(matches, key=lambda i: tree.regions[i].population)


def _near_names(tree: Tree, level: str, wanted: str) -> str:
    """Names that look alike, those of the level first; without any, what a name can be."""
    last = wanted.rpartition(PATH_SEPARATOR)[2]
    on_level = [region.name for region in tree.regions if region.level == level]
    near = get_close_matches(last, on_level, _NEAR) or get_close_matches(
        last, [region.name for region in tree.regions], _NEAR
    )
    if near:
        return f"Did you mean {' or '.join(map(repr, dict.fromkeys(near)))}?"
    return f"Name regions as it spells them, such as {', '.join(on_level[:_NEAR])}, or by their codes."
