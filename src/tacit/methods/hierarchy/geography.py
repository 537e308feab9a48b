"""The true layout of the regions (Figure 3a) beside what the model has learned: do distances go together?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.methods.base import MeasureRow, measure_row, plural
from tacit.methods.hierarchy.formulas import Floats, descriptive_vector
from tacit.methods.hierarchy.headline import Headline
from tacit.methods.hierarchy.locations import great_circle, locations
from tacit.statistics import Mantel, mantel

__all__ = ["DESCRIPTIONS_AND_GLOBE", "NAMES_AND_GLOBE", "geography_rows"]

NAMES_AND_GLOBE = "rank correlation of distances, names and globe"
DESCRIPTIONS_AND_GLOBE = "rank correlation of distances, descriptions and globe"

_FEWEST = 10


def geography_rows(headline: Headline) -> Iterator[MeasureRow]:
    """Mantel tests of the regions one level below the top: over all pairs, and over pairs with the same top region.

    They are numbers without a verdict: neighbors also have names of the same languages. None for fewer than ten
    regions with a known location.
    """
    tree, places = headline.tree, locations()
    known = [i for i, region in enumerate(tree.regions) if tree.depths[i] == tree.depth_below_top]
    known = [i for i in known if tree.regions[i].code in places]
    if len(known) < _FEWEST:
        return
    globe = great_circle(*zip(*(places[tree.regions[i].code] for i in known), strict=True))
    vectors = headline.answers.vectors
    learned = {DESCRIPTIONS_AND_GLOBE: _euclidean(descriptive_vector(headline.answers.scores[known]))}
    if all(tree.regions[i].key in vectors for i in known):
        names = np.array([vectors[tree.regions[i].key] for i in known])
        learned = {NAMES_AND_GLOBE: 1 - _cosine(names), **learned}
    tops = tree.top_of[known].tolist()
    level = tree.level_of(tree.depth_below_top)
    top_level = tree.level_of(int(tree.depths[tree.top[0]]))
    groups = {f"all pairs of {plural(level)}": None, f"pairs in the same {top_level}": tops}
    for measure, distances in learned.items():
        for group, within in groups.items():
            settings = headline.settings
            found = mantel(
                globe,
                distances,
                within=within,
                resamples=settings.resamples,
                confidence=settings.confidence,
                seed=settings.seed,
            )
            yield _row(measure, group, found, level)


def _row(measure: str, group: str, found: Mantel, unit: str) -> MeasureRow:
    value, low, high, p = (None if np.isnan(x) else x for x in (found.value, found.low, found.high, found.p))
    note = f"Mantel test, {found.pairs} pairs"
    return measure_row(measure, group, value, low=low, high=high, n=found.n, unit=unit, neutral=0.0, p=p, note=note)


def _cosine(vectors: Floats) -> Floats:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T
    return np.asarray((similarity + similarity.T) / 2)


def _euclidean(vectors: Floats) -> Floats:
    squares = (vectors**2).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * vectors @ vectors.T, 0))
    np.fill_diagonal(distances, 0.0)
    return np.asarray((distances + distances.T) / 2)
