"""The equations of the Sentiment Shift Test (Garg et al. 2022, sections 3.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = [
    "PUBLISHED_REVIEWS",
    "accuracy",
    "accuracy_loss",
    "flips",
    "largest_q",
    "net_shift",
    "on_published_scale",
    "q_score",
    "repeat_weights",
    "same_way",
]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

PUBLISHED_REVIEWS = 2_000
"""Number of reviews per class in the study, which is the scale of its accuracies."""


def accuracy(called_positive: Booleans, positive: Booleans, asked: Booleans | None = None) -> Floats:
    """A: the share of the asked reviews (first axis) whose label is right; NaN where none was asked."""
    right = called_positive == _broadcast(positive, called_positive.ndim)
    counted = np.ones_like(right) if asked is None else asked
    with np.errstate(invalid="ignore"):
        share: Floats = (right & counted).sum(axis=0) / counted.sum(axis=0)
    return share


def accuracy_loss(
    before: Booleans, after: Booleans, positive: Booleans, asked: Booleans | None = None, *, of_positive: bool
) -> Floats:
    """Section 3.3: A − A' on the reviews of one class, Neg_Diff (of_positive=False) or Pos_Diff (of_positive=True).

    Args:
        before: Which reviews the model calls positive before the word is appended (reviews,).
        after: The same after it is appended (reviews, ...).
        positive: Which reviews are positive (reviews,).
        asked: Which reviews count, in A and in A' alike (reviews, ...); by default all.
        of_positive: Which class of reviews.
    """
    members = positive == of_positive
    unchanged = np.broadcast_to(_broadcast(before, after.ndim), after.shape)
    counted = None if asked is None else asked[members]
    truth = positive[members]
    return accuracy(unchanged[members], truth, counted) - accuracy(after[members], truth, counted)


def q_score(negative_loss: Floats, positive_loss: Floats, repeats: Sequence[int]) -> Floats:
    """q = (1/n) Σ_K (Neg_Diff_K − Pos_Diff_K) / K², from accuracies as shares; n values of K along the last axis."""
    squares = np.asarray(repeats, dtype=np.float64) ** 2
    q: Floats = ((negative_loss - positive_loss) / squares).mean(axis=-1)
    return q


def on_published_scale(q: Floats) -> Floats:
    """q from accuracies that count reviews out of 2,000 per class, the only scale that fits the printed scores."""
    return q * PUBLISHED_REVIEWS


def largest_q(repeats: Sequence[int]) -> float:
    """(2/n) Σ_K 1/K²: the q of a word that changes every label from negative to positive."""
    return float(2 * np.mean(1 / np.asarray(repeats, dtype=np.float64) ** 2))


def net_shift(q: Floats, repeats: Sequence[int]) -> Floats:
    """q / `largest_q`: the share of labels that became positive minus the share that became negative.

    With b_i and a_iK one where review i is called positive before and after, Neg_Diff = mean_neg(a − b) and
    Pos_Diff = −mean_pos(a − b), so q = (1/n) Σ_K (mean_neg(a_K − b) + mean_pos(a_K − b)) / K²: the true label of a
    review only decides which mean it enters. The net shift is the mean of a − b over both classes, with equal weight
    for each class and the weights of `repeat_weights` for each K.
    """
    return q / largest_q(repeats)


def repeat_weights(repeats: Sequence[int]) -> Floats:
    """K⁻² / Σ K⁻²: the weight of each K in q."""
    inverse = 1 / np.asarray(repeats, dtype=np.float64) ** 2
    weights: Floats = inverse / inverse.sum()
    return weights


def same_way(negative_loss: Floats, positive_loss: Floats) -> Booleans:
    """Section 4.3: Neg_Diff · Pos_Diff > 0, which is true of a word that lowers both accuracies or raises both.

    Such a word makes the model label worse (or better) without favoring a side. The study calls it truly neutral.
    """
    both: Booleans = negative_loss * positive_loss > 0
    return both


def flips(
    before: Booleans, after: Booleans, asked: Booleans | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many reviews (first axis) changed from negative to positive, and how many from positive to negative."""
    was_positive = _broadcast(before, after.ndim)
    counted = np.ones_like(after) if asked is None else asked
    return (after & ~was_positive & counted).sum(axis=0), (was_positive & ~after & counted).sum(axis=0)


def _broadcast(reviews: Booleans, dimensions: int) -> Booleans:
    """One value per review, shaped to be compared with an array (reviews, ...)."""
    return reviews.reshape(-1, *[1] * (dimensions - 1))
