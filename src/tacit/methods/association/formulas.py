"""The equations of the Sentiment Association Test (Garg et al. 2022, sections 3.2 and 4.2)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["PUBLISHED_THRESHOLD", "pair_wins", "polarity", "review_leaning", "share_told_apart", "threshold_reached"]

Floats = npt.NDArray[np.float64]

PUBLISHED_THRESHOLD = 0.5
"""The m at which the study lists its biased words (Table 1)."""


def polarity(positive: Floats, negative: Floats, m: float) -> npt.NDArray[np.int64]:
    """Section 3.2: +1, -1 or 0 for each word, from the probabilities s (reviews, words) at the blank.

    +1 where mean_i(s^p_ij) > mean_k(s^n_kj) + m · std_k(s^n_kj),
    -1 where mean_k(s^n_kj) > mean_i(s^p_ij) + m · std_i(s^p_ij).
    """
    positive_mean, negative_mean = positive.mean(axis=0), negative.mean(axis=0)
    up = positive_mean > negative_mean + m * negative.std(axis=0)
    down = negative_mean > positive_mean + m * positive.std(axis=0)
    signs: npt.NDArray[np.int64] = up.astype(np.int64) - down.astype(np.int64)
    return signs


def threshold_reached(positive: Floats, negative: Floats) -> Floats:
    """The signed m up to which `polarity` calls a word biased: (mean^p − mean^n) / std of the class with lower mean.

    Zero where the means are equal; infinite where they differ and that std is zero.
    """
    gap = positive.mean(axis=0) - negative.mean(axis=0)
    unit = np.where(gap > 0, negative.std(axis=0), positive.std(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / unit)


def review_leaning(of_positive_words: Floats, of_negative_words: Floats) -> Floats:
    """Section 4.2: mean_j(s_ij) − mean_l(s_il) of each review i, over positive words j and negative words l."""
    leaning: Floats = of_positive_words.mean(axis=1) - of_negative_words.mean(axis=1)
    return leaning


def pair_wins(positive: Floats, negative: Floats) -> Floats:
    """[x_i > x_k] + ½ [x_i = x_k] for the leanings of positive reviews i (rows) and negative reviews k (columns)."""
    gap = positive[:, None] - negative[None, :]
    return (np.sign(gap) + 1) / 2


def share_told_apart(positive: Floats, negative: Floats) -> float:
    """(1 / n_p n_n) Σ_ik [x_i > x_k] + ½ [x_i = x_k]: the share of pairs in which the positive review leans higher.

    Unlike the sign of `review_leaning`, it does not require that positive and negative words are equally frequent.
    """
    return float(pair_wins(positive, negative).mean())
