"""Seeds: the intraclass correlation of the literature, and what it must be by construction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacit.validation.seeds import intraclass_correlation, seeds_check
from tests.validation.test_dose_response import row, series
from tests.validation.test_reliability import SHROUT_FLEISS


def test_it_is_that_of_shrout_and_fleiss() -> None:
    found = intraclass_correlation(SHROUT_FLEISS)
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (0.17, -0.13, 0.72)


def test_it_is_the_share_of_the_variance_that_is_between_recipes() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2000, 1)) + rng.normal(0, 0.5, (2000, 3))
    assert intraclass_correlation(scores).value == pytest.approx(1 / 1.25, abs=0.02)


def test_it_is_a_plain_analysis_of_variance() -> None:
    scores = np.random.default_rng(1).normal(size=(5, 3)) + np.arange(5)[:, None]
    groups = [list(map(float, group)) for group in scores]
    grand = sum(map(sum, groups)) / 15
    between = sum(3 * (sum(group) / 3 - grand) ** 2 for group in groups) / 4
    within = sum((value - sum(group) / 3) ** 2 for group in groups for value in group) / 10
    assert intraclass_correlation(scores).value == pytest.approx((between - within) / (between + 2 * within))


def test_its_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    found = [intraclass_correlation(rng.normal(size=(7, 1)) + rng.normal(0, 1, (7, 3))) for _ in range(600)]
    assert 0.92 < np.mean([interval.low <= 0.5 <= interval.high for interval in found]) < 0.98


def test_seeds_that_agree_exactly_leave_no_doubt() -> None:
    assert intraclass_correlation(np.arange(4.0)[:, None].repeat(3, axis=1)).low == 1.0


def test_a_recipe_whose_seeds_agree_passes_and_one_whose_seeds_do_not_fails() -> None:
    assert seeds_check(series()).outcome == "pass"
    rng = np.random.default_rng(3)
    noise = [row("biased", dose, seed, float(rng.normal())) for dose in (0.0, 0.5, 1.0) for seed in range(3)]
    assert seeds_check(noise).outcome == "fail"


def test_models_that_cannot_be_asked_and_unfinished_recipes_do_not_count() -> None:
    refused = [replace(one, validity="none") if one.dose > 0.1 else one for one in series()]
    assert seeds_check(refused).outcome == "not applicable"
    assert seeds_check(series(seeds=1)).outcome == "not applicable"
    assert "of 6 recipes with 3 seeds" in seeds_check(series()[:-1]).number
