"""The studies around the headline: a topic left out (Table 3), words replaced (Table 6), templates paraphrased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.hierarchy.answers import Answered, scores_of
from tacit.methods.hierarchy.bootstrap import draws, interval, resamples_for
from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import PARAPHRASE, SUBSTITUTE, study_tree
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.statistics import Interval

__all__ = ["STUDY_SCHEMA", "study_table"]

STUDY_SCHEMA = {
    "study": pl.String,
    "variant": pl.String,
    "group": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "full": pl.Float64,
    "change": pl.Float64,
    "change_low": pl.Float64,
    "change_high": pl.Float64,
    "resamples": pl.Int64,
}

# The side studies draw words a fifth as often as the headline: there are a dozen of them.
_SHARE = 5


@dataclass(frozen=True)
class _Variant:
    """One row of a study: other scores for the same tree, and which of the words it keeps."""

    study: str
    name: str
    scores: Floats
    keeps: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Full:
    """The full list of words on the tree that a study is about."""

    tree: Tree
    scores: Floats
    names: Floats

    def c_w(self, scores: Floats, columns: npt.NDArray[np.int64], settings: HierarchySettings) -> Floats:
        """C_w of the top regions and of the whole from some columns of some scores."""
        shown = [*self.tree.top.tolist(), self.tree.whole]
        return evaluate(self.tree, scores[:, columns], self.names, settings).c_w[shown]


def study_table(
    materials: HierarchyMaterials, settings: HierarchySettings, answered: Answered, answers: pl.DataFrame
) -> pl.DataFrame:
    """C_w of each top region under each variant, beside the full list on the same tree, with paired intervals."""
    groups = [*materials.headings(settings), materials.tree.root]
    full = _Full(materials.tree, answered.scores, answered.names)
    rows = list(_rows(full, list(_ablations(materials, answered)), groups, settings))
    studied = study_tree(materials, settings)
    if studied is not None:
        place = {region.key: i for i, region in enumerate(materials.tree.regions)}
        kept = np.array([place[region.key] for region in studied.regions])
        full = _Full(studied, answered.scores[kept], answered.names[kept])
        rows += _rows(full, list(_asked_again(full, materials, answers)), groups, settings)
    return pl.DataFrame(rows, schema=STUDY_SCHEMA)


def _ablations(materials: HierarchyMaterials, answered: Answered) -> Iterator[_Variant]:
    topics = materials.topics
    for topic in topics if len(topics) > 1 else ():
        keeps = np.array([word.topic != topic for word in materials.words])
        yield _Variant("topic left out", topic, answered.scores, keeps)


def _asked_again(full: _Full, materials: HierarchyMaterials, answers: pl.DataFrame) -> Iterator[_Variant]:
    everything = np.ones(len(materials.words), dtype=bool)
    if materials.substitutable:
        replaced = scores_of(SUBSTITUTE, full.tree, materials, answers)
        for topic in materials.topics:
            here = np.array([word.topic == topic for word in materials.words])
            yield _Variant("words replaced", topic, np.where(here, replaced, full.scores), everything)
    for number, template in enumerate(materials.templates[1:], start=1):
        yield _Variant("template", template, scores_of(PARAPHRASE, full.tree, materials, answers, number), everything)


def _rows(
    full: _Full, variants: Sequence[_Variant], groups: list[str], settings: HierarchySettings
) -> Iterator[dict[str, object]]:
    """Each draw takes the same words for the variant as for the full list, so that their difference is paired."""
    words = full.scores.shape[1]
    drawn = list(draws(words, resamples_for(full.tree, settings, _SHARE), settings.seed)) if variants else []
    value = full.c_w(full.scores, np.arange(words), settings)
    redrawn = np.array([full.c_w(full.scores, columns, settings) for columns in drawn])
    for variant in variants:
        other = full.c_w(variant.scores, np.flatnonzero(variant.keeps), settings)
        others = np.array([full.c_w(variant.scores, columns[variant.keeps[columns]], settings) for columns in drawn])
        for i, group in enumerate(groups):
            at = interval(other[i], others[:, i], settings, words)
            change = interval(other[i] - value[i], others[:, i] - redrawn[:, i], settings, words)
            base = None if np.isnan(value[i]) else float(value[i])
            names = {"study": variant.study, "variant": variant.name, "group": group}
            yield {**names, **_bounds("value", at), "full": base, **_bounds("change", change), "resamples": len(drawn)}


def _bounds(name: str, found: Interval | None) -> dict[str, float | None]:
    low, high = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
    if found is None:
        return {name: None, low: None, high: None}
    return {name: found.value, low: found.low, high: found.high}
