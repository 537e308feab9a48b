"""Words and reviews as crossed units: what each block of reviews contributes to the score of each word.

A word's score is a weighted sum over reviews, so it is the mean of what blocks of reviews contribute. Words and blocks
are two crossed sampled units: other studies would use other words and other reviews.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtri, stdtrit

from tacit.methods.base import FEW_UNITS, MeasureRow, measure_row
from tacit.statistics import Interval, crossed_mean, wilson_interval

__all__ = [
    "CROSSED",
    "block_contributions",
    "block_rows",
    "crossed_interval",
    "deal_blocks",
    "few_units",
    "root_mean_square",
    "share_of_words",
    "squared_contributions",
    "unit_table",
]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

CROSSED = "word and review"
"""The unit of rows whose intervals are over both."""

# Twenty blocks give 19 degrees of freedom, and keep the table of words and blocks small.
_FEWEST_BLOCKS, _MOST_BLOCKS = 10, 20
_NEARLY_EQUAL = 0.02


def deal_blocks(positive: Booleans) -> Integers:
    """The block of each review: the reviews of each class are dealt in turn, so that each block has both classes."""
    count = _count_blocks(int(positive.sum()), int((~positive).sum()))
    blocks = np.empty(positive.size, dtype=np.int64)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        blocks[members] = np.arange(members.size) % count
    return blocks


def block_contributions(values: Floats, weights: Floats, blocks: Integers) -> Floats:
    """B · Σ_{r∈b} weight_r x_rw for each word w and block b, so that their mean over the B blocks is Σ_r weight_r x_rw.

    Args:
        values: One row per review, one column per word.
        weights: The weight of each review in the score.
        blocks: The block of each review.
    """
    count = int(blocks.max()) + 1
    weighted = values * weights[:, None]
    return np.stack([count * weighted[blocks == block].sum(axis=0) for block in range(count)], axis=1)


def squared_contributions(contributions: Floats) -> Floats:
    """What each block contributes to the square of each word's score, without the noise that squaring adds.

    With c_b the contribution of block b, the square is estimated by U = Σ_{b≠b'} c_b c_b' / (B (B − 1)): different
    blocks share no noise, so U is right on average whatever the number of reviews, and may be negative. Each block gets
    its jackknife pseudo-value B U − (B − 1) U₍₋b₎ = (2 (B − 1) t_b − B U) / (B − 2), with t_b = c_b · mean_{b'≠b} c_b'.
    Their mean over blocks is U, and their spread gives its variance; where there is no score at all, twice that.
    Undefined (NaN) with fewer than three blocks.
    """
    count = contributions.shape[1]
    if count < 3:
        return np.full_like(contributions, np.nan)
    products = contributions * (contributions.sum(axis=1, keepdims=True) - contributions) / (count - 1)
    squares: Floats = (2 * (count - 1) * products - count * products.mean(axis=1, keepdims=True)) / (count - 2)
    return squares


def crossed_interval(contributions: Floats, positive: Booleans, confidence: float) -> Interval:
    """The mean over words and blocks (words, blocks), with its interval over both; n counts words or reviews."""
    words, blocks = np.indices(contributions.shape)
    mean = crossed_mean(contributions.ravel(), words.ravel(), blocks.ravel(), confidence=confidence).interval
    return Interval(mean.value, mean.low, mean.high, confidence, min(len(contributions), positive.size), mean.method)


def root_mean_square(squares: Interval) -> Interval:
    """sign(x) √|x| of a mean of squares and of the ends of its interval."""
    value, low, high = (float(np.sign(x) * np.sqrt(abs(x))) for x in (squares.value, squares.low, squares.high))
    return Interval(value, low, high, squares.confidence, squares.n, squares.method)


def share_of_words(found: Booleans, left_out: Booleans, reviews: int, confidence: float) -> Interval:
    """The share of words that are found, with its interval over words and reviews.

    The variance is V_w + V_r − V_wr, but no less than V_w: V_w is that of a share of independent words, V_r that of
    the jackknife over blocks of reviews, and V_wr what the jackknife would give if every word had reviews of its
    own, which both contain. It says how many independent words carry as much information, and Wilson's interval is
    taken for that number, with Student's t for the normal quantile.

    Args:
        found: Which words are found from all reviews (words,).
        left_out: Which are found without each block of reviews (blocks, words).
        reviews: The number of reviews.
        confidence: The confidence of the interval.
    """
    blocks, words = left_out.shape
    level, fewest = (1 + confidence) / 2, min(blocks, words)
    narrower = float(ndtri(level) / stdtrit(fewest - 1, level)) ** 2 if fewest > 1 else np.nan
    share = float(found.mean())
    over_words = share * (1 - share) / words
    over_reviews = (blocks - 1) * float(left_out.mean(axis=1).var())
    over_both = (blocks - 1) * float(left_out.var(axis=0).sum()) / words**2
    variance = over_words + max(0.0, over_reviews - over_both)
    size = share * (1 - share) / variance if over_words else min(words, reviews)
    return wilson_interval(share, words, confidence, effective=size * narrower)


def few_units(positive: Booleans, words: int | None = None) -> str | None:
    """The caution of an interval over reviews, and over so many words, where there are few of either; else None."""
    reviews = int(min(positive.sum(), (~positive).sum()))
    if reviews < FEW_UNITS:
        return f"only {reviews} reviews of a class"
    return None if words is None or words >= FEW_UNITS else f"only {words} {'word' if words == 1 else 'words'}"


def block_rows(measure: str, group: str, words: pl.Series, contributions: Floats) -> Iterator[MeasureRow]:
    """One row per word and block, which `tacit compare` pairs between models."""
    for word, row in zip(words, contributions, strict=True):
        for block, value in enumerate(row):
            yield measure_row(measure, group, float(value), item=_item(word, block))


def unit_table(group: str, words: pl.Series, blocks: int) -> pl.DataFrame:
    """The table `units`: which word and which block of reviews each item of `block_rows` belongs to."""
    rows = [(group, _item(word, block), word, f"block {block + 1}") for word in words for block in range(blocks)]
    schema = dict.fromkeys(("group", "item", "word", "block"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _item(word: str, block: int) -> str:
    return f"{word} (block {block + 1})"


def _count_blocks(*classes: int) -> int:
    """The number of blocks: as many as leave them nearly equal, because unequal ones look like variance of reviews."""
    most = min(_MOST_BLOCKS, *classes)
    counts = range(most, min(_FEWEST_BLOCKS, most) - 1, -1)

    def inequality(count: int) -> float:
        """The variance of the blocks' sizes, relative to their mean, over both classes."""
        return sum(size % count * (count - size % count) / size**2 for size in classes)

    return min(counts, key=lambda count: max(inequality(count), _NEARLY_EQUAL))
