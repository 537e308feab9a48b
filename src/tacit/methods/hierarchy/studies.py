"""The studies around the headline: without a topic (Table 3), with substituted words (Table 6), with paraphrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.methods.hierarchy.answers import sentence_scores
from tacit.methods.hierarchy.evaluate import evaluate
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import Headline
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import PARAPHRASE, SUBSTITUTE, study_tree
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Booleans, Tree
from tacit.statistics import Interval, holm

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
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
}


@dataclass(frozen=True)
class _Variant:
    """One variant of a study: other scores for the same tree, and which words it keeps."""

    study: str
    name: str
    scores: Floats
    keeps: Booleans


@dataclass(frozen=True)
class _Baseline:
    """What a study's variants are compared with: the first template with all words, on the study's tree."""

    tree: Tree
    scores: Floats
    names: Floats
    settings: HierarchySettings

    def c_w(self, scores: Floats, words: Booleans) -> Floats:
        """C_w of the top regions and, last, of the whole, from some words of some scores; NaN for fewer than two."""
        if words.sum() < 2:
            return np.full(len(self.tree.headline), np.nan)
        return evaluate(self.tree, scores[:, words], self.names, self.settings).c_w[self.tree.headline]


def study_table(headline: Headline, answers: pl.DataFrame) -> pl.DataFrame:
    """C_w of each top region in each variant and in the baseline, and their difference with an interval over words.

    `p_adjusted` is corrected by Holm for all changes of a study.
    """
    materials, settings, arrays = headline.materials, headline.settings, headline.answers
    baseline = _Baseline(materials.tree, arrays.scores, arrays.names, settings)
    rows = list(_rows(headline, baseline, list(_topic_variants(materials, arrays.scores))))
    studied = study_tree(materials, settings)
    if studied is not None:
        kept = np.array([materials.tree.index[region.key] for region in studied.regions])
        baseline = _Baseline(studied, arrays.scores[kept], arrays.names[kept], settings)
        rows += _rows(headline, baseline, list(_reworded_variants(baseline, materials, answers)))
    table = pl.DataFrame(rows, schema=_SCHEMA).with_columns(pl.col(pl.Float64).fill_nan(None))
    studies = [_corrected(study) for study in table.partition_by("study", maintain_order=True)]
    return pl.concat([*studies, table.clear()])


def _corrected(study: pl.DataFrame) -> pl.DataFrame:
    adjusted = holm(study["p"].fill_null(np.nan).to_numpy())
    return study.with_columns(p_adjusted=pl.Series(adjusted).fill_nan(None))


def _topic_variants(materials: HierarchyMaterials, scores: Floats) -> Iterator[_Variant]:
    topics = materials.topics
    for topic in topics if len(topics) > 1 else ():
        keeps = np.array([word.topic != topic for word in materials.words])
        yield _Variant(WITHOUT_TOPIC, topic, scores, keeps)


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


def _rows(headline: Headline, baseline: _Baseline, variants: Sequence[_Variant]) -> Iterator[dict[str, object]]:
    """The same blocks of words are left out of the variant and of the baseline, so that their difference is paired."""
    kept, all_words = headline.kept, np.ones(baseline.scores.shape[1], dtype=np.bool_)
    blocks = kept if variants else kept[:0]
    shape = (len(blocks), len(headline.groups))
    full = baseline.c_w(baseline.scores, all_words)
    full_without = np.array([baseline.c_w(baseline.scores, words) for words in blocks]).reshape(shape)
    for variant in variants:
        values = baseline.c_w(variant.scores, variant.keeps)
        without = np.array([baseline.c_w(variant.scores, words & variant.keeps) for words in blocks]).reshape(shape)
        for i, group in enumerate(headline.groups):
            value = headline.interval(float(values[i]), without[:, i])
            change = headline.interval(float(values[i] - full[i]), without[:, i] - full_without[:, i], positive=False)
            yield {
                "study": variant.study,
                "variant": variant.name,
                "group": group,
                **_columns(value, "value", "low", "high"),
                "full": float(full[i]),
                **_columns(change, "change", "change_low", "change_high"),
                "p": change.p,
            }


def _columns(interval: Interval, value: str, low: str, high: str) -> dict[str, float]:
    """An interval under these column names."""
    return {value: interval.value, low: interval.low, high: interval.high}
