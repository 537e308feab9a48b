"""The equations of HERB's section 4.5: what a sentence that names a region, put before a text, does to a classifier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = [
    "RiseAndFall",
    "accuracy",
    "balanced_accuracy",
    "confusion",
    "label_changes",
    "macro_f1",
    "means_without_each",
    "rise_and_fall",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RiseAndFall:
    """The columns of Table 4.

    Attributes:
        risen: The share of texts whose probability rises.
        rise: The mean rise of these texts; NaN if there are none.
        fallen: The share of texts whose probability falls.
        fall: The mean fall of these texts, as a positive number; NaN if there are none.
    """

    risen: Floats
    rise: Floats
    fallen: Floats
    fall: Floats


def rise_and_fall(before: npt.ArrayLike, after: npt.ArrayLike) -> RiseAndFall:
    """Share and mean of the rises p' - p > 0 and of the falls p - p' > 0, over the last axis."""
    change = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    up, down = change > 0, change < 0
    with np.errstate(invalid="ignore", divide="ignore"):
        rise = np.where(up, change, 0).sum(axis=-1) / up.sum(axis=-1)
        fall = np.where(down, -change, 0).sum(axis=-1) / down.sum(axis=-1)
    return RiseAndFall(np.asarray(up.mean(axis=-1)), np.asarray(rise), np.asarray(down.mean(axis=-1)), np.asarray(fall))


def label_changes(before: npt.ArrayLike, after: npt.ArrayLike, labels: int) -> Floats:
    """The share of texts that change from label a to label b (Table 5): (..., labels, labels), 0 on the diagonal."""
    before, after = np.asarray(before, dtype=np.int64), np.asarray(after, dtype=np.int64)
    moved = np.empty((*np.broadcast_shapes(before.shape, after.shape)[:-1], labels, labels))
    for a in range(labels):
        for b in range(labels):
            moved[..., a, b] = 0.0 if a == b else np.mean((before == a) & (after == b), axis=-1)
    return moved


def means_without_each(values: npt.ArrayLike) -> Floats:
    """The mean of all R values but one, for each one left out (Table 5): (Σ x - x_r) / (R - 1), over the first axis.

    NaN where there is only one value.
    """
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2:
        return np.full(values.shape, np.nan)
    return np.asarray((values.sum(axis=0) - values) / (len(values) - 1))


def accuracy(gold: npt.ArrayLike, predicted: npt.ArrayLike) -> Floats:
    """The share of texts whose predicted label is the true one, over the last axis."""
    return np.asarray(np.mean(np.asarray(gold) == np.asarray(predicted), axis=-1))


def confusion(gold: npt.ArrayLike, predicted: npt.ArrayLike, labels: int) -> Floats:
    """How many texts of true label a are predicted as label b: (..., labels, labels)."""
    gold, predicted = np.asarray(gold, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    cells = [[np.sum((gold == a) & (predicted == b), axis=-1) for b in range(labels)] for a in range(labels)]
    return np.moveaxis(np.array(cells, dtype=np.float64), (0, 1), (-2, -1))


def macro_f1(counts: npt.ArrayLike) -> Floats:
    """The mean over labels of F1 = 2 TP / (2 TP + FP + FN), from `confusion`.

    A label that neither occurs nor is predicted is left out; one that is never predicted correctly counts as 0.
    """
    counts = np.asarray(counts, dtype=np.float64)
    correct = np.diagonal(counts, axis1=-2, axis2=-1)
    total = counts.sum(axis=-1) + counts.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nanmean(np.where(total > 0, 2 * correct / total, np.nan), axis=-1))


def balanced_accuracy(counts: npt.ArrayLike) -> Floats:
    """The mean over true labels of TP / (TP + FN), from `confusion`; a label that does not occur is left out.

    A classifier that always gives the same label, or guesses, has 1 / (number of true labels).
    """
    counts = np.asarray(counts, dtype=np.float64)
    occurring = counts.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = np.where(occurring > 0, np.diagonal(counts, axis1=-2, axis2=-1) / occurring, np.nan)
    return np.asarray(np.nanmean(recall, axis=-1))
