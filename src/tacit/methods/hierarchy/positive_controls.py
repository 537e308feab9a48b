"""Can the model be asked this at all? Rows that a model with any knowledge of English must pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.hierarchy.answers import sentence_scores
from tacit.methods.hierarchy.evaluate import sibling_distances
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import WORD, Headline
from tacit.methods.hierarchy.questions import PARAPHRASE, REVERSED, study_tree
from tacit.statistics import correlation, share_interval

__all__ = ["SEVERAL_TOKENS", "TEMPLATES_AGREE", "WORD_ORDER", "WORD_SPREAD", "positive_control_rows"]

# Names of measures, as the measures table has them.
WORD_ORDER = "sentences likelier than their words reversed"
WORD_SPREAD = "spread of the scores over words"
SEVERAL_TOKENS = "names of several tokens"
TEMPLATES_AGREE = "agreement of the templates"


def positive_control_rows(headline: Headline, answers: pl.DataFrame) -> Iterator[MeasureRow]:
    """Word order, spread over words, tokens per name, and agreement between templates."""
    confidence = headline.settings.confidence
    spread = float(headline.answers.scores.mean(axis=0).std())
    yield measure_row(WORD_SPREAD, "overall", spread, n=len(headline.materials.words), note="standard deviation")
    several = headline.answers.token_counts > 1
    yield measure_row(SEVERAL_TOKENS, "overall", share_interval(several, confidence=confidence), unit="region")
    preferred = _preferred(headline, answers)
    if preferred is not None:
        share = share_interval(preferred, confidence=confidence)
        yield measure_row(WORD_ORDER, "overall", share, unit=WORD, neutral=0.5)
    yield from _agreement_rows(headline, answers)


def _preferred(headline: Headline, answers: pl.DataFrame) -> Floats | None:
    """For each word, whether its sentences are likelier than the same sentences backwards, on average over regions."""
    backwards = answers.filter(pl.col("kind") == REVERSED)
    if backwards.is_empty():
        return None
    rows = [headline.tree.index[key] for key in backwards["region"].unique(maintain_order=True)]
    per_word = backwards.group_by("word").agg(pl.col("logprob").mean()).sort("word")["logprob"].to_numpy()
    return np.asarray(headline.answers.scores[rows].mean(axis=0) > per_word, dtype=np.float64)


def _agreement_rows(headline: Headline, answers: pl.DataFrame) -> Iterator[MeasureRow]:
    """Whether the first template and the paraphrases agree on which regions are far from their siblings."""
    materials, settings = headline.materials, headline.settings
    studied = study_tree(materials, settings)
    if studied is None or len(materials.templates) < 2:
        return
    paraphrased = np.mean(
        [
            sibling_distances(studied, sentence_scores(PARAPHRASE, studied, materials, answers, number))
            for number in range(1, len(materials.templates))
        ],
        axis=0,
    )
    first = headline.sibling_distances[[headline.tree.index[region.key] for region in studied.regions]]
    compared = np.flatnonzero(~np.isnan(first) & (studied.depths == studied.deepest))
    if len(compared) >= 4:
        options = asdict(settings.resampling)
        agreement = correlation(first[compared], paraphrased[compared], **options)
        level = studied.level_of(studied.deepest)
        yield measure_row(
            TEMPLATES_AGREE, "overall", agreement, unit=level, neutral=0.0, note="Spearman's", p=agreement.p
        )
