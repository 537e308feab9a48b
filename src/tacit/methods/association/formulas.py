"""The Sentiment Association Test (Garg et al. 2022, section 3.2): do words keep company with praise or with blame?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["pairs_won", "polarity", "review_leaning", "standardised_difference", "threshold_reached", "told_apart"]

Floats = npt.NDArray[np.float64]


def polarity(positive: Floats, negative: Floats, m: float) -> npt.NDArray[np.int64]:
    """+1, -1 or 0 for each word: section 3.2, with s the probabilities (reviews, words) at the blank.

    Positive where mean_i(s^p_ij) > mean_k(s^n_kj) + m · std_k(s^n_kj),
    negative where mean_k(s^n_kj) > mean_i(s^p_ij) + m · std_i(s^p_ij).
    """
    after_praise, after_blame = positive.mean(axis=0), negative.mean(axis=0)
    up = after_praise > after_blame + m * negative.std(axis=0)
    down = after_blame > after_praise + m * positive.std(axis=0)
    signs: npt.NDArray[np.int64] = up.astype(np.int64) - down.astype(np.int64)
    return signs


def threshold_reached(positive: Floats, negative: Floats) -> Floats:
    """The signed m up to which `polarity` calls a word biased: |mean^p − mean^n| / std of the reviews it is lower in.

    Zero where the means are equal, infinite where they differ and that std is zero.
    """
    gap = positive.mean(axis=0) - negative.mean(axis=0)
    unit = np.where(gap > 0, negative.std(axis=0), positive.std(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / unit)


def review_leaning(of_positive_words: Floats, of_negative_words: Floats) -> Floats:
    """Section 4.2, the sanity figure: mean_j(s_ij) − mean_l(s_il) of each review i, j positive and l negative words."""
    leaning: Floats = of_positive_words.mean(axis=1) - of_negative_words.mean(axis=1)
    return leaning


def pairs_won(positive: Floats, negative: Floats) -> Floats:
    """One where positive review i (row) leans higher than negative review k (column), a half where they lean alike."""
    gap = positive[:, None] - negative[None, :]
    return (np.sign(gap) + 1) / 2


def told_apart(positive: Floats, negative: Floats) -> float:
    """The share of pairs in which the positive review leans higher, (1 / n_p n_n) Σ_ik [x_i > x_k] + ½ [x_i = x_k].

    Unlike the signs of the sanity figure it does not ask that positive and negative words be equally frequent.
    """
    return float(pairs_won(positive, negative).mean())


def standardised_difference(positive: Floats, negative: Floats) -> Floats:
    """Cohen's d of each word (column): (mean^p − mean^n) / sqrt(((n_p − 1) var^p + (n_n − 1) var^n) / (n_p + n_n − 2)).

    Zero where a word has the same value after every review.
    """
    gap = positive.mean(axis=0) - negative.mean(axis=0)
    squares = positive.var(axis=0) * len(positive) + negative.var(axis=0) * len(negative)
    spread = np.sqrt(squares / (len(positive) + len(negative) - 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / spread)
