"""How far the results depend on the verbalizer: the headline measures under two of them, paired by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from scipy.stats import spearmanr

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.counterknowledge.estimates import Floats, Sample, mean_row, samples_by_kind
from tacit.methods.counterknowledge.formulas import spearman_difference
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.prompts import prompt_table
from tacit.methods.counterknowledge.questions import BESIDE, WHOLE
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.methods.counterknowledge.verdicts import PRO_SHARE, SHARE_EFFECT
from tacit.statistics import bootstrap

__all__ = ["NAMED", "verbalizer_table"]

NAMED = "probability of words of the two groups"
_SCHEMA = {
    "measure": pl.String,
    "group": pl.String,
    "reach": pl.String,
    "own": pl.Float64,
    "beside": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "unit": pl.String,
    "caution": pl.String,
}


def verbalizer_table(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> pl.DataFrame:
    """Each headline measure under the probe's verbalizer and the second one, and the difference with its interval.

    The fillings are the same; only which of them count as whose changes. An item that has no word of either group under
    one of the verbalizers is left out of that row.
    """
    own = prompt_table(materials, settings, answers.filter(pl.col("asked") != BESIDE))
    others = replace(materials, words=materials.beside or {})
    asked = pl.when(pl.col("asked") == BESIDE).then(pl.lit(WHOLE)).otherwise("asked")
    beside = prompt_table(others, settings, answers.filter(pl.col("asked") != WHOLE).with_columns(asked=asked))
    rows = []
    for reach in own["reach"].unique(maintain_order=True).reverse():
        samples = [samples_by_kind(materials, table.filter(pl.col("reach") == reach)) for table in (own, beside)]
        rows += [{**row, "reach": reach} for row in _rows(materials, settings, *samples)]
    return pl.DataFrame(rows, schema=_SCHEMA)


def _rows(
    materials: CounterknowledgeMaterials,
    settings: CounterknowledgeSettings,
    own: dict[str, Sample],
    beside: dict[str, Sample],
) -> Iterator[dict[str, object]]:
    bases = own[BASE], beside[BASE]
    shares = [base.columns["pro_share"] for base in bases]
    yield _mean_difference((PRO_SHARE, BASE), own[BASE], shares, settings.confidence)
    yield from _correlation_difference(materials, settings, *bases)
    for kind, sample in own.items():
        if kind != BASE:
            changes = [samples[kind].change(samples[BASE], "pro_share") for samples in (own, beside)]
            yield _mean_difference((SHARE_EFFECT, kind), sample, changes, settings.confidence)
    named = [base.columns["first"] + base.columns["second"] for base in bases]
    yield _mean_difference((NAMED, BASE), own[BASE], named, settings.confidence)


def _mean_difference(
    label: tuple[str, str], sample: Sample, values: list[Floats], confidence: float
) -> dict[str, object]:
    """Both means over the items that have both values, and the mean difference, paired by prompt."""
    both = ~np.isnan(values[0] + values[1])
    known = [np.where(both, column, np.nan) for column in values]
    row = mean_row(*label, sample, known[1] - known[0], confidence=confidence)
    means = [sample.mean(column) for column in known]
    return _as_row(row, *(None if mean is None else mean.value for mean in means))


def _correlation_difference(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, own: Sample, beside: Sample
) -> Iterator[dict[str, object]]:
    """Spearman's rho with the statistic under both verbalizers; the interval resamples the items."""
    grammar = materials.grammar
    statistic = np.array([np.nan if item.share is None else item.share for item in materials.items])[own.items]
    columns = np.column_stack([statistic, own.columns["first_share"], beside.columns["first_share"]])
    columns = columns[~np.isnan(columns).any(axis=1)]
    if not grammar.statistic or len(columns) < 3 or (np.ptp(columns, axis=0) == 0).any():
        return
    drawn = settings.resampling
    interval = bootstrap(
        columns, spearman_difference, resamples=drawn.resamples, confidence=drawn.confidence, seed=drawn.seed
    )
    # An interval of no width would look like certainty.
    same = interval.low == interval.high
    found, caution = (interval.value, f"the same order of {grammar.plural}") if same else (interval, None)
    measure = f"correlation with the {grammar.statistic}"
    row = measure_row(measure, BASE, found, n=interval.n, unit=grammar.singular, caution=caution)
    yield _as_row(row, *(float(spearmanr(columns[:, 0], columns[:, side]).statistic) for side in (1, 2)))


def _as_row(row: MeasureRow, own: float | None, beside: float | None) -> dict[str, object]:
    kept = {name: row[name] for name in ("measure", "group", "low", "high", "n", "unit", "caution")}
    return {**kept, "difference": row["value"], "own": own, "beside": beside}
