"""The studies around the headline: without a topic (Table 3), with substituted words (Table 6), with paraphrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.hierarchy.answers import AnswerArrays, sentence_scores
from tacit.methods.hierarchy.bootstrap import percentile_interval, resample_count, resampled_words
from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import PARAPHRASE, SUBSTITUTE, study_tree
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree
from tacit.statistics import Interval

__all__ = ["PARAPHRASED", "REPLACED", "WITHOUT_TOPIC", "study_table"]

# Names of the studies, as the studies table has them.
WITHOUT_TOPIC, REPLACED, PARAPHRASED = "topic left out", "words replaced", "template"

_SCHEMA = {
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

# There are a dozen variants, so each gets a fifth of the headline's resamples.
_DIVISOR = 5


@dataclass(frozen=True)
class _Variant:
    """One variant of a study: other scores for the same tree, and which words it keeps."""

    study: str
    name: str
    scores: Floats
    keeps: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Baseline:
    """What a study's variants are compared with: the first template with all words, on the study's tree."""

    tree: Tree
    scores: Floats
    names: Floats
    settings: HierarchySettings

    def c_w(self, scores: Floats, columns: Ints) -> Floats:
        """C_w of the top regions and, last, of the whole, from some columns of some scores.

        NaN for fewer than two words, of which a resample of a small probe without one topic may consist.
        """
        if len(columns) < 2:
            return np.full(len(self.tree.headline), np.nan)
        return evaluate(self.tree, scores[:, columns], self.names, self.settings).c_w[self.tree.headline]


def study_table(
    materials: HierarchyMaterials, settings: HierarchySettings, arrays: AnswerArrays, answers: pl.DataFrame
) -> pl.DataFrame:
    """C_w of each top region in each variant and in the baseline, and their difference with a paired interval."""
    groups = materials.headings(settings)
    baseline = _Baseline(materials.tree, arrays.scores, arrays.names, settings)
    rows = list(_rows(baseline, list(_topic_variants(materials, arrays)), groups))
    studied = study_tree(materials, settings)
    if studied is not None:
        kept = np.array([materials.tree.index[region.key] for region in studied.regions])
        baseline = _Baseline(studied, arrays.scores[kept], arrays.names[kept], settings)
        rows += _rows(baseline, list(_reworded_variants(baseline, materials, answers)), groups)
    return pl.DataFrame(rows, schema=_SCHEMA)


def _topic_variants(materials: HierarchyMaterials, arrays: AnswerArrays) -> Iterator[_Variant]:
    topics = materials.topics
    for topic in topics if len(topics) > 1 else ():
        keeps = np.array([word.topic != topic for word in materials.words])
        yield _Variant(WITHOUT_TOPIC, topic, arrays.scores, keeps)


def _reworded_variants(baseline: _Baseline, materials: HierarchyMaterials, answers: pl.DataFrame) -> Iterator[_Variant]:
    all_words = np.ones(len(materials.words), dtype=bool)
    if materials.substitutable:
        substituted = sentence_scores(SUBSTITUTE, baseline.tree, materials, answers)
        for topic in materials.topics:
            in_topic = np.array([word.topic == topic for word in materials.words])
            yield _Variant(REPLACED, topic, np.where(in_topic, substituted, baseline.scores), all_words)
    for number, template in enumerate(materials.templates[1:], start=1):
        scores = sentence_scores(PARAPHRASE, baseline.tree, materials, answers, number)
        yield _Variant(PARAPHRASED, template, scores, all_words)


def _rows(baseline: _Baseline, variants: Sequence[_Variant], groups: list[str]) -> Iterator[dict[str, object]]:
    """Each resample has the same words in the variant and the baseline, so that their difference is paired."""
    settings, words = baseline.settings, baseline.scores.shape[1]
    count = resample_count(baseline.tree, settings, _DIVISOR) if variants else 0
    resamples = list(resampled_words(words, count, settings.seed))
    full = baseline.c_w(baseline.scores, np.arange(words))
    full_resampled = np.array([baseline.c_w(baseline.scores, columns) for columns in resamples])
    for variant in variants:
        values = baseline.c_w(variant.scores, np.flatnonzero(variant.keeps))
        resampled = np.array([baseline.c_w(variant.scores, columns[variant.keeps[columns]]) for columns in resamples])
        for i, group in enumerate(groups):
            value = percentile_interval(values[i], resampled[:, i], settings, words)
            change = percentile_interval(values[i] - full[i], resampled[:, i] - full_resampled[:, i], settings, words)
            yield {
                "study": variant.study,
                "variant": variant.name,
                "group": group,
                **_columns(value, "value", "low", "high"),
                "full": None if np.isnan(full[i]) else float(full[i]),
                **_columns(change, "change", "change_low", "change_high"),
                "resamples": count,
            }


def _columns(interval: Interval | None, value: str, low: str, high: str) -> dict[str, float | None]:
    """An interval under these column names."""
    if interval is None:
        return dict.fromkeys((value, low, high))
    return {value: interval.value, low: interval.low, high: interval.high}
