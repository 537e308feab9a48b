"""Blocks of reviews: contributions that add up to the score, and a size without the bias of an absolute value."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.sentiment.blocks import (
    block_contributions,
    crossed_interval,
    deal_blocks,
    few_units,
    root_mean_square,
    squared_contributions,
)


def test_every_block_has_reviews_of_both_classes() -> None:
    positive = np.arange(70) < 45
    blocks = deal_blocks(positive)
    assert {*blocks[positive]} == {*blocks[~positive]} == {*range(int(blocks.max()) + 1)}


@pytest.mark.parametrize(("reviews", "blocks"), [(200, 20), (100, 20), (50, 17), (30, 15), (15, 15), (3, 3)])
def test_blocks_are_of_nearly_equal_size(reviews: int, blocks: int) -> None:
    """Blocks of unequal size would look as if reviews differed more than they do."""
    assert deal_blocks(np.arange(2 * reviews) < reviews).max() == blocks - 1


def test_there_are_no_more_blocks_than_reviews_of_a_class() -> None:
    assert deal_blocks(np.arange(12) < 3).max() == 2


def test_contributions_average_to_the_score() -> None:
    rng = np.random.default_rng(1)
    values, positive = rng.normal(size=(53, 4)), np.arange(53) < 30
    weights = np.where(positive, 1 / 30, -1 / 23)
    contributions = block_contributions(values, weights, deal_blocks(positive))
    assert contributions.mean(axis=1) == pytest.approx(values[:30].mean(axis=0) - values[30:].mean(axis=0))


def test_squares_are_right_on_average_whatever_the_noise() -> None:
    """A plain square adds the variance of the noise, here 1/20 and 1/5."""
    rng = np.random.default_rng(2)
    for blocks in (20, 5):
        nothing, clear = rng.normal(0, 1, (20_000, blocks)), rng.normal(-3, 1, (5_000, blocks))
        assert squared_contributions(nothing).mean() == pytest.approx(0, abs=0.01)
        assert (nothing.mean(axis=1) ** 2).mean() == pytest.approx(1 / blocks, abs=0.01)
        assert squared_contributions(clear).mean() == pytest.approx(9, abs=0.1)


def test_squares_are_jackknife_pseudo_values_of_products_of_different_blocks() -> None:
    blocks = np.random.default_rng(4).normal(1, 1, 6)

    def mean_product(values: np.ndarray) -> float:
        pairs = [values[i] * values[j] for i in range(values.size) for j in range(values.size) if i != j]
        return float(np.mean(pairs))

    whole = mean_product(blocks)
    expected = [6 * whole - 5 * mean_product(np.delete(blocks, i)) for i in range(6)]
    assert squared_contributions(blocks[None])[0] == pytest.approx(expected)
    assert np.mean(expected) == pytest.approx(whole)


def test_two_blocks_give_no_square() -> None:
    assert np.isnan(squared_contributions(np.ones((3, 2)))).all()


def test_the_root_of_a_negative_square_is_negative() -> None:
    positive = np.arange(40) < 20
    interval = root_mean_square(crossed_interval(np.full((4, 5), -0.04), positive, 0.95))
    assert interval.value == pytest.approx(-0.2)


def test_few_words_or_reviews_are_named() -> None:
    many, few = np.arange(60) < 30, np.arange(60) < 6
    assert few_units(many) is None
    assert few_units(many, words=12) is None
    assert few_units(many, words=1) == "only 1 word"
    assert few_units(few, words=12) == "only 6 reviews of a class"


def test_the_interval_covers_the_truth_when_reviews_move_all_words_together() -> None:
    rng, covered = np.random.default_rng(3), []
    for _ in range(400):
        cells = rng.normal(0, 0.5, (40, 1)) + rng.normal(0, 1, (1, 20)) + rng.normal(0, 1, (40, 20))
        interval = crossed_interval(cells, np.arange(400) < 200, 0.95)
        covered.append(interval.low <= 0 <= interval.high)
    assert 0.92 < np.mean(covered) < 0.98
