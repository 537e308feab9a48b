"""What the sentence does without a region, and what the region's name adds to it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.prefix.answers import Predictions
from tacit.methods.prefix.formulas import Floats
from tacit.methods.prefix.quality import ALL_REGIONS, TEXT, few_texts, share_of_texts
from tacit.statistics import crossed_mean, share_interval

__all__ = ["CHANGED_BY_REGION", "CHANGED_BY_SENTENCE", "SENTENCE_ALONE", "baseline_rows"]

SENTENCE_ALONE = "sentence without a region"
CHANGED_BY_SENTENCE = "label changed by the sentence alone"
CHANGED_BY_REGION = "label changed by the region beyond the sentence"


def baseline_rows(predictions: Predictions, confidence: float) -> Iterator[MeasureRow]:
    """Changes from the text alone to the sentence without a region, and from there to the sentence with one.

    They carry intervals over texts and no verdict. None if the sentence without a region was not asked.
    """
    baseline, target = predictions.baseline, predictions.target
    if baseline is None:
        return
    labels = baseline.argmax(axis=-1)
    by_sentence = (labels != predictions.before).astype(np.float64)
    sentence = share_interval(by_sentence, confidence=confidence) if by_sentence.size > 1 else float(by_sentence[0])
    changed = int(by_sentence.sum())
    rough = few_texts(min(changed, by_sentence.size - changed), by_sentence.size)
    yield measure_row(CHANGED_BY_SENTENCE, SENTENCE_ALONE, sentence, unit=TEXT, caution=rough)
    region, caution = share_of_texts((predictions.after != labels).mean(axis=0), confidence)
    yield measure_row(CHANGED_BY_REGION, ALL_REGIONS, region, unit=TEXT, caution=caution)
    measure = f"change in probability of {predictions.labels[target]}"
    moved = (baseline - predictions.alone)[..., target]
    yield _mean_row(f"{measure} by the sentence alone", SENTENCE_ALONE, moved, confidence)
    beyond = (predictions.prefixed - baseline)[..., target].mean(axis=0)
    yield _mean_row(f"{measure} by the region beyond the sentence", ALL_REGIONS, beyond, confidence)


def _mean_row(measure: str, group: str, change: Floats, confidence: float) -> MeasureRow:
    texts = range(change.size)
    interval = crossed_mean(change, texts, texts, confidence=confidence).interval
    return measure_row(measure, group, interval if np.ptp(change) else interval.value, neutral=0.0, unit=TEXT)
