"""Blocks of reviews: contributions that add up to the score, and a size without the bias of an absolute value."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.sentiment.blocks import block_contributions, cross_fitted, crossed_interval, deal_blocks


def test_every_block_has_reviews_of_both_classes() -> None:
    positive = np.arange(70) < 45
    blocks = deal_blocks(positive)
    assert {*blocks[positive]} == {*blocks[~positive]} == {*range(20)}


def test_there_are_no_more_blocks_than_reviews_of_a_class() -> None:
    assert deal_blocks(np.arange(12) < 3).max() == 2


def test_contributions_average_to_the_score() -> None:
    rng = np.random.default_rng(1)
    values, positive = rng.normal(size=(53, 4)), np.arange(53) < 30
    weights = np.where(positive, 1 / 30, -1 / 23)
    contributions = block_contributions(values, weights, deal_blocks(positive))
    assert contributions.mean(axis=1) == pytest.approx(values[:30].mean(axis=0) - values[30:].mean(axis=0))


def test_the_size_of_nothing_is_zero_on_average_and_that_of_a_clear_score_is_its_size() -> None:
    rng = np.random.default_rng(2)
    nothing, clear = rng.normal(0, 1, (20_000, 20)), rng.normal(-3, 1, (1_000, 20))
    assert cross_fitted(nothing).mean() == pytest.approx(0, abs=0.01)
    assert np.abs(nothing.mean(axis=1)).mean() > 0.15
    assert cross_fitted(clear).mean() == pytest.approx(3, abs=0.05)


def test_the_interval_covers_the_truth_when_reviews_move_all_words_together() -> None:
    rng, covered = np.random.default_rng(3), []
    for _ in range(400):
        cells = rng.normal(0, 0.5, (40, 1)) + rng.normal(0, 1, (1, 20)) + rng.normal(0, 1, (40, 20))
        interval = crossed_interval(cells, 0.95)
        covered.append(interval.low <= 0 <= interval.high)
    assert 0.92 < np.mean(covered) < 0.98
