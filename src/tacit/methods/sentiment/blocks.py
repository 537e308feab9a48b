"""Words and reviews as crossed units: what each block of reviews contributes to the score of each word.

A word's score is a weighted sum over reviews, so it is the mean of what blocks of reviews contribute. Words and blocks
are two crossed sampled units: other studies would use other words and other reviews.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, measure_row
from tacit.statistics import Interval, crossed_mean

__all__ = ["block_contributions", "block_rows", "cross_fitted", "crossed_interval", "deal_blocks", "unit_table"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

# Twenty blocks give 19 degrees of freedom, and keep the table of words and blocks small.
_MOST_BLOCKS = 20


def deal_blocks(positive: Booleans) -> Integers:
    """The block of each review: the reviews of each class are dealt in turn, so that each block has both classes."""
    count = min(_MOST_BLOCKS, int(positive.sum()), int((~positive).sum()))
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


def cross_fitted(contributions: Floats) -> Floats:
    """The size of a word's score without the bias of |score|: each block is signed by the sum of the other blocks.

    The mean over blocks is near |score| for a word that clearly leans. For a word that does not, it is zero on average,
    where |score| is larger the fewer reviews there are.
    """
    others = contributions.sum(axis=1, keepdims=True) - contributions
    signed: Floats = np.sign(others) * contributions
    return signed


def crossed_interval(contributions: Floats, confidence: float) -> Interval:
    """The mean over words and blocks (words, blocks), with its interval over both."""
    words, blocks = np.indices(contributions.shape)
    return crossed_mean(contributions.ravel(), words.ravel(), blocks.ravel(), confidence=confidence).interval


def block_rows(measure: str, group: str, words: pl.Series, contributions: Floats) -> Iterator[MeasureRow]:
    """One row per word and block, which `tacit compare` pairs between models."""
    for word, row in zip(words, contributions, strict=True):
        for block, value in enumerate(row):
            yield measure_row(measure, group, float(value), item=_item(word, block))


def unit_table(group: str, words: pl.Series, blocks: int) -> pl.DataFrame:
    """The table `units`: which word and which block of reviews each item of `block_rows` belongs to."""
    rows = [(group, _item(word, block), word, f"block {block + 1}") for word in words for block in range(blocks)]
    schema = dict.fromkeys(("group", "item", "word", "reviews"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _item(word: str, block: int) -> str:
    return f"{word} (block {block + 1})"
