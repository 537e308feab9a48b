"""The regions' names as points of a plane: by UMAP where it is installed and names are many, else by components."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import polars as pl

from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.tree import Tree

__all__ = ["SPACE_SCHEMA", "neighbours_alike", "space_table"]

SPACE_SCHEMA = {
    "region": pl.String,
    "name": pl.String,
    "top": pl.String,
    "x": pl.Float64,
    "y": pl.Float64,
    "made": pl.String,
}
# UMAP looks at this many neighbours of each name; of fewer names it knows nothing that the components do not show.
_NEIGHBOURS = 15


def space_table(tree: Tree, vectors: dict[str, Floats], seed: int) -> pl.DataFrame:
    """Where each name lies, and in which top region its region does."""
    if len(vectors) < 4:
        return pl.DataFrame(schema=SPACE_SCHEMA)
    keys = sorted(vectors)
    points, made = _flattened(np.array([vectors[key] for key in keys]), seed)
    place = {region.key: i for i, region in enumerate(tree.regions)}
    tops = tree.top_of()
    named = {key: tree.regions[int(tops[place[key]])].name for key in keys}
    return pl.DataFrame(
        {
            "region": keys,
            "name": [tree.regions[place[key]].name for key in keys],
            "top": [named[key] for key in keys],
            "x": points[:, 0],
            "y": points[:, 1],
            "made": [made] * len(keys),
        },
        schema=SPACE_SCHEMA,
    )


def neighbours_alike(tree: Tree, vectors: dict[str, Floats]) -> Floats:
    """For each name in turn, 1 where the nearest other name (by cosine) lies in the same top region, else 0."""
    keys = sorted(vectors)
    unit = np.array([vectors[key] / np.linalg.norm(vectors[key]) for key in keys])
    near = unit @ unit.T
    np.fill_diagonal(near, -np.inf)
    place = {region.key: i for i, region in enumerate(tree.regions)}
    tops = tree.top_of()[[place[key] for key in keys]]
    return np.asarray(tops[near.argmax(axis=1)] == tops, dtype=np.float64)


def _flattened(vectors: Floats, seed: int) -> tuple[Floats, str]:
    if len(vectors) > _NEIGHBOURS and find_spec("umap") is not None:
        from umap import UMAP  # noqa: PLC0415 - an extra, and slow to import

        flattener = UMAP(n_components=2, n_neighbors=_NEIGHBOURS, random_state=seed, n_jobs=1)
        return np.asarray(flattener.fit_transform(vectors), dtype=np.float64), "UMAP"
    around = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(around, full_matrices=False)
    flat = around @ directions[:2].T
    # A component's sign is arbitrary: fix it, so that the same answers give the same picture.
    return np.asarray(flat * np.sign(flat[np.abs(flat).argmax(axis=0), [0, 1]])), "principal components"
