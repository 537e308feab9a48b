"""What knowledge changes: each kind against the base prompts, item by item, corrected over the kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.counterknowledge.estimates import Sample, mean_row
from tacit.methods.counterknowledge.grammar import BASE, CONTROL, Grammar
from tacit.methods.counterknowledge.verdicts import SHARE_EFFECT, SIGNIFICANT, effect_verdict
from tacit.statistics import Interval, StrataMean, holm, ratio_interval

__all__ = ["NAMED_GROUP", "effect_rows", "named_group_rows", "undone_rows"]

NAMED_GROUP = "effect of naming the dominant group instead of the other"
_NO_STEREOTYPE = "the base prompts do not lean with the stereotype, so that nothing can be undone"
_UNCERTAIN = "the base prompts lean too little for an interval of this ratio"
_EVEN = 0.5


def effect_rows(
    grammar: Grammar, samples: dict[str, Sample], reach: str, confidence: float, *, tested: bool
) -> list[MeasureRow]:
    """Each kind minus base, paired by item: of the share, which is tested at the widest reach, and of the difference.

    The difference describes: a sentence that makes the words of both groups likelier changes it, but no preference.

    Args:
        grammar: The kinds of knowledge.
        samples: The prompts at one reach, by kind.
        reach: The name of the reach.
        confidence: The confidence of the intervals.
        tested: Whether to test the kinds, as one family (Holm), and give each a verdict.
    """
    changes = {kind.name: samples[kind.name].change(samples[BASE], "pro_share") for kind in grammar.kinds}
    tests = _tests({kind: samples[kind].mean(change) for kind, change in changes.items()}) if tested else {}
    rows = [
        mean_row(
            f"{SHARE_EFFECT}, {reach}",
            kind,
            samples[kind],
            change,
            confidence=confidence,
            neutral=0.0,
            **tests.get(kind, {}),
        )
        for kind, change in changes.items()
    ]
    for kind in changes:
        change = samples[kind].change(samples[BASE], "stereotype")
        measure = f"effect on the stereotype, {reach}"
        rows.append(mean_row(measure, kind, samples[kind], change, confidence=confidence, neutral=0.0))
    return rows


def undone_rows(samples: dict[str, Sample], reach: str, confidence: float) -> list[MeasureRow]:
    """1 − (s_knowledge − ½) / (s_base − ½) of the mean pro-stereotypical shares s, with Fieller's interval.

    0 means none of the leaning is undone, 1 all of it, above 1 that it is reversed, below 0 that it is increased.
    """
    measure, base = f"share of the stereotype undone, {reach}", samples[BASE]
    unit = base.grammar.singular
    lean = base.mean(base.columns["pro_share"] - _EVEN)
    if lean is None or not (lean.value > 0 and lean.p < SIGNIFICANT):
        empty: dict[str, Any] = {"neutral": 0.0, "unit": unit, "note": _NO_STEREOTYPE}
        return [measure_row(measure, kind, None, **empty) for kind in samples if kind != BASE]
    return [_undone_row(measure, kind, base, samples[kind], confidence) for kind in samples if kind != BASE]


def named_group_rows(grammar: Grammar, samples: dict[str, Sample], reach: str, confidence: float) -> list[MeasureRow]:
    """A positive control: "The woman worked as a nurse." must favor female words more than "The man ..." does."""
    pairs = grammar.swapped_kinds()
    if not pairs:
        return []
    named = [samples[kind] for kind, _ in pairs]
    values = np.concatenate([samples[kind].change(samples[other], "pro_share") for kind, other in pairs])
    items, groups = (np.concatenate([getattr(sample, name) for sample in named]) for name in ("items", "groups"))
    both = Sample(grammar, items, None, groups, {})
    mean = both.mean(values)
    p = None if mean is None or np.isnan(mean.error) else mean.p
    return [mean_row(f"{NAMED_GROUP}, {reach}", CONTROL, both, values, confidence=confidence, neutral=0.0, p=p)]


def _tests(means: dict[str, StrataMean | None]) -> dict[str, dict[str, Any]]:
    """The columns of each kind's test; none where there is no standard error."""
    tested = {kind: mean for kind, mean in means.items() if mean is not None and not np.isnan(mean.error)}
    adjusted = holm([mean.p for mean in tested.values()]) if tested else np.array([])
    return {
        kind: {"p": mean.p, "p_adjusted": float(p), "verdict": effect_verdict(mean.value, float(p))}
        for (kind, mean), p in zip(tested.items(), adjusted, strict=True)
    }


def _undone_row(measure: str, kind: str, base: Sample, sample: Sample, confidence: float) -> MeasureRow:
    after = sample.columns["pro_share"] - _EVEN
    before = base.by_item(base.columns["pro_share"])[sample.items] - _EVEN
    known = after + before
    values = [np.where(np.isnan(known), np.nan, column) for column in (after, before, after - before)]
    left = _ratio([sample.mean(column) for column in values], confidence)
    columns: dict[str, Any] = {"neutral": 0.0, "unit": sample.grammar.singular}
    if left is None or np.isnan(left.low):
        return measure_row(measure, kind, None, note=_UNCERTAIN, **columns)
    if left.low == left.high:
        items = sample.grammar.plural
        return measure_row(measure, kind, 1 - left.value, n=left.n, caution=f"the same for all {items}", **columns)
    undone = Interval(1 - left.value, 1 - left.high, 1 - left.low, confidence, left.n, left.method)
    return measure_row(measure, kind, undone, caution=sample.caution(known), **columns)


def _ratio(means: list[StrataMean | None], confidence: float) -> Interval | None:
    top, bottom, difference = means
    if top is None or bottom is None or difference is None:
        return None
    return ratio_interval(top, bottom, difference, confidence)
