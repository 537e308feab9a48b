"""The Sentiment Shift Test (Garg et al. 2022, sections 3.2 and 3.3): does a repeated word turn a review's label?"""

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
]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

PUBLISHED_REVIEWS = 2_000
"""How many reviews a class had in the study, and so what its accuracies count to."""


def accuracy(called_positive: Booleans, positive: Booleans, asked: Booleans | None = None) -> Floats:
    """A: the share of reviews (first axis) whose label is right, of those that were asked; NaN where none was."""
    right = called_positive == _along(positive, called_positive.ndim)
    counted = np.ones_like(right) if asked is None else asked
    with np.errstate(invalid="ignore"):
        share: Floats = (right & counted).sum(axis=0) / counted.sum(axis=0)
    return share


def accuracy_loss(
    before: Booleans, after: Booleans, positive: Booleans, asked: Booleans | None = None, *, of_positive: bool
) -> Floats:
    """A − A' on the reviews of one class: Neg_Diff (of_positive=False) or Pos_Diff (of_positive=True), section 3.3.

    `before` (reviews,) and `after` (reviews, ...) say which reviews the model called positive, `asked` (reviews, ...)
    which count, before as after.
    """
    chosen = positive == of_positive
    same = np.broadcast_to(_along(before, after.ndim), after.shape)
    counted = None if asked is None else asked[chosen]
    return accuracy(same[chosen], positive[chosen], counted) - accuracy(after[chosen], positive[chosen], counted)


def q_score(negative_loss: Floats, positive_loss: Floats, repeats: Sequence[int]) -> Floats:
    """q = (1/n) Σ_K (Neg_Diff_K − Pos_Diff_K) / K², K along the last axis, n the number of K's; from shares."""
    squares = np.asarray(repeats, dtype=np.float64) ** 2
    q: Floats = ((negative_loss - positive_loss) / squares).mean(axis=-1)
    return q


def on_published_scale(q: Floats) -> Floats:
    """q with accuracies counted in reviews of 2,000 a class: the only scale that the printed scores fit."""
    return q * PUBLISHED_REVIEWS


def largest_q(repeats: Sequence[int]) -> float:
    """The q of a word that turns every label of a model that was all wrong: (2/n) Σ_K 1/K²."""
    return float(2 * np.mean(1 / np.asarray(repeats, dtype=np.float64) ** 2))


def net_shift(q: Floats, repeats: Sequence[int]) -> Floats:
    """q / `largest_q`: the share of labels, both classes alike, that went to positive less those that went to negative.

    With b_i and a_iK one where review i is called positive before and after, Neg_Diff = mean_neg(a − b) and
    Pos_Diff = −mean_pos(a − b), so q = (1/n) Σ_K (mean_neg(a_K − b) + mean_pos(a_K − b)) / K²: a review's true label
    decides nothing but which mean it enters. Net shift is the mean of a − b with the weights of `repeat_weights`.
    """
    return q / largest_q(repeats)


def repeat_weights(repeats: Sequence[int]) -> Floats:
    """How much each K counts in q: K⁻² / Σ K⁻²."""
    inverse = 1 / np.asarray(repeats, dtype=np.float64) ** 2
    weights: Floats = inverse / inverse.sum()
    return weights


def flips(
    before: Booleans, after: Booleans, asked: Booleans | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many reviews (first axis) went from negative to positive, and how many from positive to negative."""
    was = _along(before, after.ndim)
    counted = np.ones_like(after) if asked is None else asked
    return (after & ~was & counted).sum(axis=0), (was & ~after & counted).sum(axis=0)


def _along(reviews: Booleans, dimensions: int) -> Booleans:
    """One value a review, shaped to be compared with (reviews, ...)."""
    return reviews.reshape(-1, *[1] * (dimensions - 1))
