"""Can the model be asked this at all? Positive controls that a model with any knowledge of English must pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, Validity, measure_row
from tacit.methods.hierarchy.answers import sentence_scores
from tacit.methods.hierarchy.evaluate import sibling_distances
from tacit.methods.hierarchy.headline import SIGNIFICANT, Headline
from tacit.methods.hierarchy.questions import ORDER, PARAPHRASE, study_tree
from tacit.numbers import interval_text, number
from tacit.statistics import correlation, share_interval

__all__ = [
    "SEVERAL_TOKENS",
    "TEMPLATES_AGREE",
    "WORD_ORDER",
    "WORD_SPREAD",
    "judge_validity",
    "positive_control_rows",
]

# Names of measures, as the measures table has them.
WORD_ORDER = "word orders as likely as the natural one"
WORD_SPREAD = "spread of the scores over words"
SEVERAL_TOKENS = "names of several tokens"
TEMPLATES_AGREE = "agreement of the templates"

# A model that ignores the word gives every word the same score, up to rounding (scores are log-likelihoods per token).
_LEAST_SPREAD = 1e-4
# Above this share a vector says more about how names are cut up than about what follows them.
_MOST_SPLIT_NAMES = 0.95


def positive_control_rows(headline: Headline, answers: pl.DataFrame) -> Iterator[MeasureRow]:
    """Word order, spread over words, tokens per name, and agreement between templates."""
    confidence = headline.settings.confidence
    spread = float(headline.answers.scores.mean(axis=0).std())
    yield measure_row(WORD_SPREAD, "overall", spread, n=len(headline.materials.words), note="standard deviation")
    several = headline.answers.token_counts > 1
    yield measure_row(SEVERAL_TOKENS, "overall", share_interval(several, confidence=confidence), unit="region")
    yield from _order_rows(answers)
    yield from _agreement_rows(headline, answers)


def _order_rows(answers: pl.DataFrame) -> Iterator[MeasureRow]:
    """How many orders of the words are at least as likely as the natural one, itself included, as a share of all.

    To a model that knows nothing of English the natural order is one of many, so the share is an exact p-value.
    """
    asked = answers.filter(pl.col("kind") == ORDER)
    if asked.is_empty():
        return
    scores = asked.group_by("template").agg(pl.col("logprob").mean()).sort("template")["logprob"].to_numpy()
    share = float((scores >= scores[0]).mean())
    note = f"the natural order is {scores[0] - scores[1:].mean():+.2f} per token from the mean of the others"
    yield measure_row(WORD_ORDER, "overall", share, n=len(scores), neutral=0.5, note=note)


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


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if scores depend on the word, natural order is preferred, names are words, and templates agree."""
    spread, order = _row(tables, WORD_SPREAD), _row(tables, WORD_ORDER)
    if spread is not None and spread["value"] < _LEAST_SPREAD:
        return Validity("none", f"its scores do not depend on the word (standard deviation {number(spread['value'])})")
    if order is not None and order["value"] > max(SIGNIFICANT, 1 / order["n"]):
        as_likely = round(order["value"] * order["n"]) - 1
        orders = f"of {order['n'] - 1} other orders of the same words, {as_likely} are at least as likely"
        return Validity("none", f"it does not prefer the natural word order of English ({orders})")
    reasons = [*_weak_order(order), *_weak_names(tables), *_weak_templates(tables)]
    return Validity("weak", "; ".join(reasons)) if reasons else Validity()


def _row(tables: Tables, measure: str) -> dict[str, Any] | None:
    rows = tables["measures"].filter(pl.col("measure") == measure)
    return rows.row(0, named=True) if len(rows) else None


def _weak_order(order: dict[str, Any] | None) -> list[str]:
    if order is None:
        return ["it was not asked for other word orders, so nothing shows that it can score sentences"]
    if order["value"] > SIGNIFICANT:
        return [f"the template has only {order['n']} word orders, too few to show that it can score sentences"]
    return []


def _weak_names(tables: Tables) -> list[str]:
    row = _row(tables, SEVERAL_TOKENS)
    if row is None or row["value"] <= _MOST_SPLIT_NAMES:
        return []
    return [f"it splits {row['value']:.0%} of the names into several tokens, so spelling weighs heavily"]


def _weak_templates(tables: Tables) -> list[str]:
    row = _row(tables, TEMPLATES_AGREE)
    if row is None or row["low"] is None or row["low"] > 0:
        return []
    agreement = interval_text(row["value"], row["low"], row["high"])
    return [f"paraphrased templates do not single out the same regions (rank correlation {agreement})"]
