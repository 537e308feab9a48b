"""Verdicts about words: three of them, against a margin, and shares whose intervals are over words and reviews."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from tacit.methods.association.leanings import NOT_ZERO, WordTest, growth_table


def simulated(reviews: int, effects: np.ndarray, seed: int = 0, common: float = 0.0) -> WordTest:
    """Words with these effects (Cohen's d) after `reviews` reviews of each class, which may move all words together."""
    rng = np.random.default_rng(seed)
    positive = np.arange(2 * reviews) < reviews
    noise = rng.normal(size=(2 * reviews, effects.size)) * np.sqrt(1 - common)
    shared = rng.normal(size=(2 * reviews, 1)) * np.sqrt(common)
    logs = noise + shared + positive[:, None] * effects
    return WordTest(logs, positive, np.full(effects.size, "neutral"), 0.2, 0.05)


def test_three_verdicts() -> None:
    leanings = simulated(2_000, np.array([0.5, -0.5, 0.0, 0.2])).run()
    assert leanings.leaning.tolist() == ["positive", "negative", "neutral", "undecided"]


def test_a_small_effect_never_leans_however_many_reviews() -> None:
    assert set(simulated(20_000, np.full(30, 0.1)).run().leaning) == {"neutral"}


def test_few_reviews_leave_words_undecided() -> None:
    assert set(simulated(8, np.zeros(30)).run().leaning) == {"undecided"}


def test_the_share_varies_more_where_reviews_move_all_words_together() -> None:
    effects = np.random.default_rng(1).normal(0.35, 0.1, 200)
    (alone,), (together,) = (
        simulated(60, effects, 2, common).share_intervals([("positive",)], 0.95) for common in (0.0, 0.9)
    )
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_no_leaning_word_of_many_is_not_certain() -> None:
    (interval,) = simulated(50, np.zeros(40)).share_intervals([("positive", "negative")], 0.95)
    assert (interval.value, interval.low) == (0, 0)
    assert interval.high > 0.05


def test_the_growth_adds_up_and_ends_at_all_reviews() -> None:
    test = simulated(60, np.full(20, 0.8))
    growth = growth_table(test, seed=0)
    assert growth["reviews"].unique().sort().to_list()[-1] == 60
    verdicts = growth.filter(pl.col("leaning") != NOT_ZERO)
    assert np.allclose(verdicts.group_by("reviews").agg(pl.sum("share"))["share"], 1)
    leaning = growth.filter(pl.col("leaning") == "positive").sort("reviews")["share"]
    assert leaning[-1] == np.mean(test.run().leaning == "positive") > leaning[0]


def test_without_a_margin_the_share_measures_the_number_of_reviews() -> None:
    """Small differences in every word: a p-value finds more of them with every review, a margin finds none."""
    growth = growth_table(simulated(2_000, np.full(40, 0.12)), seed=0).sort("reviews")
    nonzero = growth.filter(pl.col("leaning") == NOT_ZERO)["share"]
    leaning = growth.filter(pl.col("leaning").is_in(["positive", "negative"]))["share"]
    assert nonzero[0] < 0.05
    assert nonzero[-1] > 0.8
    assert leaning.max() < 0.01


def test_parts_of_the_reviews_are_tested_as_if_there_were_no_others() -> None:
    test = simulated(40, np.linspace(-1.5, 1.5, 30), seed=3)
    parts = np.random.default_rng(0).random((5, 80)) < 0.7
    expected = [replace(test, logs=test.logs[part], positive=test.positive[part]).run().leaning for part in parts]
    assert (test.run_many(parts) == np.array(expected)).all()
