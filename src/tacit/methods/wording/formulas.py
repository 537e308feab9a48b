"""How much of the variance of words' scores lies in the words, the prompts, the label words, and the rest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.methods.sentiment.blocks import squared_contributions
from tacit.statistics import Interval, crossed_mean

__all__ = ["LABELS", "PROMPTS", "REST", "WORDS", "variance_parts", "variance_shares"]

Floats = npt.NDArray[np.float64]

WORDS, PROMPTS, LABELS, REST = "words", "prompt", "label words", "prompt and label words together"


def variance_parts(contributions: Floats) -> dict[str, Floats]:
    """What each word and block of reviews contributes to each part of the variance (words, blocks).

    With x_wpl the score of word w with prompt p and label words l: x_wpl = m + W_w + P_wp + L_wl + R_wpl, where m + W_w
    is the mean of a word over all wordings, P_wp and L_wl are what a prompt and a pair of label words add to it on
    average over the other, and R_wpl is the rest. The parts are the means of W², P², L² and R². W² is taken times
    n / (n − 1) for n words. Squares are products of different blocks of reviews, so that noise adds nothing to them.

    Args:
        contributions: What each block contributes to each score (words, prompts, label words, blocks); the mean over
            blocks is the score.
    """
    words, prompts, labels, _ = contributions.shape
    mean = contributions.mean(axis=(1, 2), keepdims=True)
    by_prompt = contributions.mean(axis=2, keepdims=True) - mean
    by_label = contributions.mean(axis=1, keepdims=True) - mean
    rest = contributions - mean - by_prompt - by_label
    between = (mean - mean.mean(axis=0, keepdims=True)) * np.sqrt(words / max(1, words - 1))
    parts = {WORDS: between}
    if prompts > 1:
        parts[PROMPTS] = by_prompt
    if labels > 1:
        parts[LABELS] = by_label
    if prompts > 1 and labels > 1:
        parts[REST] = rest
    return {name: _mean_squares(part) for name, part in parts.items()}


def variance_shares(parts: dict[str, Floats], confidence: float) -> dict[str, Interval] | None:
    """Each part as a share of their sum, with its interval over words and blocks of reviews.

    The share s = ā / t̄ of two means has the linear form (a_wb − s t_wb) / t̄, whose mean is zero and whose variance over
    words and blocks is that of s (`crossed_mean`). A part that is nothing but noise may come out below zero. None where
    the sum is not above zero: then there is nothing to divide.
    """
    total: Floats = np.sum([*parts.values()], axis=0)
    whole = float(total.mean())
    if not whole > 0:
        return None
    words, blocks = (axis.ravel() for axis in np.indices(total.shape))
    shares = {}
    for name, part in parts.items():
        share = float(part.mean()) / whole
        linear = (part - share * total) / whole
        error = crossed_mean(linear.ravel(), words, blocks, confidence=confidence).interval
        # A share lies between 0 and 1, so the interval ends there, unless the estimate itself lies beyond.
        low, high = max(share + error.low, min(0.0, share)), min(share + error.high, max(1.0, share))
        shares[name] = Interval(share, low, high, confidence, len(total), error.method)
    return shares


def _mean_squares(part: Floats) -> Floats:
    """The squares of a part, averaged over its wordings (words, blocks)."""
    words, prompts, labels, blocks = part.shape
    squares = squared_contributions(part.reshape(-1, blocks)).reshape(words, prompts * labels, blocks)
    mean: Floats = squares.mean(axis=1)
    return mean
