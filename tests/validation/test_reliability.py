"""Reliability: worked figures of the literature, plain recomputation, and what it must be by construction."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.validation.reliability import (
    Halves,
    alpha_check,
    cronbach_alpha,
    reliability_check,
    spearman_brown,
    split_half,
)

# Shrout and Fleiss (1979), Table 2: six targets (rows) rated by four judges.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)


def test_alpha_is_that_of_shrout_and_fleiss() -> None:
    assert cronbach_alpha(SHROUT_FLEISS).value == pytest.approx(0.91, abs=0.005)


def test_alpha_is_cronbachs_own_formula() -> None:
    scores = np.random.default_rng(0).normal(size=(12, 7)) + np.random.default_rng(1).normal(size=(12, 1))
    parts = scores.shape[1]
    slow = parts / (parts - 1) * (1 - scores.var(axis=0, ddof=1).sum() / scores.sum(axis=1).var(ddof=1))
    assert cronbach_alpha(scores).value == pytest.approx(slow)


def test_alpha_of_two_models_is_that_of_their_paired_t_test() -> None:
    from scipy.stats import ttest_rel

    scores = np.random.default_rng(2).normal(size=(2, 40)) + np.array([[0.0], [0.6]])
    t = ttest_rel(scores[0], scores[1]).statistic
    assert cronbach_alpha(scores).value == pytest.approx(1 - 1 / t**2)


def test_feldts_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng, parts = np.random.default_rng(3), 10
    truth = parts * 0.5 / (parts * 0.5 + 1)
    found = [cronbach_alpha(rng.normal(size=(15, parts)) + rng.normal(0, 0.5**0.5, (15, 1))) for _ in range(400)]
    covered = np.mean([interval.low <= truth <= interval.high for interval in found])
    assert 0.92 < covered < 0.98


def test_spearman_brown_doubles_a_test() -> None:
    assert spearman_brown(0.5) == pytest.approx(2 / 3)
    assert spearman_brown(1.0) == 1.0
    assert spearman_brown(-0.5) == -spearman_brown(0.5)


def test_split_half_finds_the_reliability_that_was_put_in() -> None:
    rng, targets, parts = np.random.default_rng(4), 300, 20
    values = rng.normal(size=(targets, 1)) + rng.normal(0, 3, (targets, parts))
    truth = parts / (parts + 9)
    found = split_half(Halves(lambda kept: values[:, kept].mean(axis=1), parts, "words", "reviews"))
    assert found.value == pytest.approx(truth, abs=0.07)
    assert found.low < truth < found.high


def test_scores_that_are_chance_fail() -> None:
    values = np.random.default_rng(5).normal(size=(100, 20))
    assert (
        reliability_check(Halves(lambda kept: values[:, kept].mean(axis=1), 20, "words", "reviews")).outcome == "fail"
    )


def test_one_model_has_no_reliability_over_models() -> None:
    assert alpha_check({"one": np.arange(4.0)}, "sentences").outcome == "not applicable"
