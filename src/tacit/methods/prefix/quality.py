"""How well the classifier labels the texts alone (the positive control), and what naming a region costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tacit.methods.base import FEW_UNITS, MeasureRow, measure_row
from tacit.methods.prefix.answers import Predictions
from tacit.methods.prefix.formulas import Floats, Ints, balanced_accuracy, confusion, macro_f1
from tacit.statistics import Interval, crossed_mean, crossed_share, effective_interval, share_interval

__all__ = [
    "ACCURACY_CHANGE",
    "ALL_REGIONS",
    "BALANCED",
    "TEXT",
    "TEXTS_ALONE",
    "accuracy_change",
    "few_texts",
    "quality_rows",
    "share_of_texts",
]

# Names of measures and groups, as the measures table has them.
ALL_REGIONS, TEXTS_ALONE = "all regions", "texts alone"
ACCURACY_CHANGE, BALANCED = "change in accuracy", "balanced accuracy"
TEXT = "text"


def quality_rows(predictions: Predictions, confidence: float) -> Iterator[MeasureRow]:
    """Accuracy, balanced accuracy and macro F1 of the texts alone and after all regions; none without true labels."""
    gold = predictions.gold
    if gold is None:
        return
    for group, predicted in ((TEXTS_ALONE, predictions.before[None]), (ALL_REGIONS, predictions.after)):
        correct = (predicted == gold).mean(axis=0)
        yield measure_row("accuracy", group, _accuracy(correct, confidence), unit=TEXT)
        counts = _counts_by_text(gold, predicted, len(predictions.labels))
        chance = 1 / np.unique(gold).size
        for measure, statistic, neutral in ((BALANCED, balanced_accuracy, chance), ("macro F1", macro_f1, None)):
            interval = _jackknife_interval(counts, statistic, confidence)
            yield measure_row(measure, group, interval, unit=TEXT, neutral=neutral)


def accuracy_change(predictions: Predictions, confidence: float) -> MeasureRow | None:
    """What naming a region does to accuracy: after minus before, over texts; None without true labels."""
    gold = predictions.gold
    if gold is None:
        return None
    change = (predictions.after == gold).mean(axis=0) - (predictions.before == gold)
    texts = range(change.size)
    found = crossed_mean(change, texts, texts, confidence=confidence)
    interval = found.interval if np.ptp(change) else found.interval.value
    caution = few_texts(int(np.sum(change != 0)), change.size)
    return measure_row(ACCURACY_CHANGE, ALL_REGIONS, interval, neutral=0.0, unit=TEXT, p=found.p, caution=caution)


def share_of_texts(shares: Floats, confidence: float) -> tuple[Interval | float, str | None]:
    """The mean of the texts' shares, and why its interval is rough."""
    if shares.size < 2:
        return float(shares[0]), None
    texts = range(shares.size)
    interval = crossed_share(shares, texts, texts, confidence=confidence).interval
    return interval, few_texts(min(int(np.sum(shares > 0)), int(np.sum(shares < 1))), shares.size)


def few_texts(moved: int, texts: int) -> str | None:
    """Why an interval is rough: few texts are moved at all, however many there are."""
    return f"only {moved} of {texts} texts are affected" if moved < FEW_UNITS else None


def _accuracy(correct: Floats, confidence: float) -> Interval | float:
    if correct.size < 2:
        return float(correct[0])
    if np.isin(correct, (0.0, 1.0)).all():
        return share_interval(correct, confidence=confidence)
    texts = range(correct.size)
    return crossed_share(correct, texts, texts, confidence=confidence).interval


def _counts_by_text(gold: Ints, predicted: Ints, labels: int) -> Floats:
    """The confusion of each text: (texts, labels, labels)."""
    return confusion(gold[:, None], np.moveaxis(predicted, 0, -1), labels)


def _jackknife_interval(
    counts: Floats, statistic: Callable[[Floats], Floats], confidence: float
) -> Interval | float | None:
    """A figure of the confusion of all texts, between 0 and 1; its standard error leaves out one text at a time."""
    total, texts = counts.sum(axis=0), len(counts)
    value = float(statistic(total))
    if np.isnan(value) or texts < 2:
        return None if np.isnan(value) else value
    left_out = statistic(total - counts)
    defined = left_out[~np.isnan(left_out)]
    error = float(np.sqrt((texts - 1) / texts * np.sum((defined - defined.mean()) ** 2)))
    return effective_interval(value, error, texts, confidence)
