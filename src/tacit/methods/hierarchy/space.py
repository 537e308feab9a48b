"""The regions' names as points in a plane: with UMAP if it is installed and there are enough names, else with PCA."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import polars as pl

from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.locations import locations
from tacit.methods.hierarchy.tree import Ints, Tree

__all__ = ["nearest_names", "space_table"]

_SCHEMA = {
    "region": pl.String,
    "name": pl.String,
    "top": pl.String,
    "x": pl.Float64,
    "y": pl.Float64,
    "made": pl.String,
    "latitude": pl.Float64,
    "longitude": pl.Float64,
}
# UMAP compares each name with this many neighbors; with fewer names it shows nothing that PCA does not.
_NEIGHBORS = 15


def space_table(tree: Tree, vectors: dict[str, Floats], seed: int) -> pl.DataFrame:
    """One row per name: its point, its top region, how the points were made, and where it lies on the globe.

    Empty for fewer than four names; a region without a known location has none.
    """
    if len(vectors) < 4:
        return pl.DataFrame(schema=_SCHEMA)
    keys = sorted(vectors)
    indices = [tree.index[key] for key in keys]
    places = [locations().get(tree.regions[i].code) for i in indices]
    points, projection = _project(np.array([vectors[key] for key in keys]), seed)
    return pl.DataFrame(
        {
            "region": keys,
            "name": [tree.regions[i].name for i in indices],
            "top": [tree.regions[i].name for i in tree.top_of[indices].tolist()],
            "x": points[:, 0],
            "y": points[:, 1],
            "made": [projection] * len(keys),
            "latitude": [place and place[0] for place in places],
            "longitude": [place and place[1] for place in places],
        },
        schema=_SCHEMA,
    )


def nearest_names(vectors: dict[str, Floats]) -> tuple[list[str], Ints]:
    """The keys of the names, and for each the place of the nearest other name, by cosine."""
    keys = sorted(vectors)
    unit = np.array([vectors[key] / np.linalg.norm(vectors[key]) for key in keys])
    similarity = unit @ unit.T
    np.fill_diagonal(similarity, -np.inf)
    return keys, similarity.argmax(axis=1)


def _project(vectors: Floats, seed: int) -> tuple[Floats, str]:
    """The vectors in two dimensions, and the name of the projection."""
    if len(vectors) > _NEIGHBORS and find_spec("umap") is not None:
        from umap import UMAP  # noqa: PLC0415 - optional, and slow to import

        umap = UMAP(n_components=2, n_neighbors=_NEIGHBORS, random_state=seed, n_jobs=1)
        return np.asarray(umap.fit_transform(vectors), dtype=np.float64), "UMAP"
    centered = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centered, full_matrices=False)
    points = centered @ directions[:2].T
    # The sign of a component is arbitrary; fixing it gives the same picture for the same answers.
    return np.asarray(points * np.sign(points[np.abs(points).argmax(axis=0), [0, 1]])), "principal components"
