"""An interval of 95 % must hold the truth in 93 to 97 % of simulated studies, and a test must not cry wolf."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.statistics import (
    Interval,
    bootstrap,
    bootstrap_many,
    correlation,
    krippendorff_alpha,
    krippendorff_interval,
    permutation_test_many,
    sign_flip_test,
)
from tacit.statistics.inputs import Floats, Method

METHODS: tuple[Method, ...] = ("percentile", "bca")


def coverage(intervals: list[Interval], truth: float) -> float:
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


@pytest.mark.parametrize("method", METHODS)
def test_mean_of_normal_values_is_covered(method: Method) -> None:
    studies = np.random.default_rng(1).normal(3, 2, size=(150, 2000))
    assert 0.93 <= coverage(bootstrap_many(studies, method=method, resamples=2000), 3) <= 0.97


@pytest.mark.parametrize("units", [8, 12, 20, 40])
def test_mean_of_few_normal_values_is_covered(units: int) -> None:
    """A plain percentile interval of 8 units would cover 89 %."""
    studies = np.random.default_rng(6).normal(3, 2, size=(units, 4000))
    assert 0.93 <= coverage(bootstrap_many(studies, resamples=2000), 3) <= 0.97


@pytest.mark.parametrize("method", METHODS)
def test_share_of_coin_tosses_is_covered(method: Method) -> None:
    studies = np.random.default_rng(2).random(size=(300, 2000)) < 0.3
    assert 0.93 <= coverage(bootstrap_many(studies, method=method, resamples=2000), 0.3) <= 0.97


def test_mean_of_skewed_values_is_covered_by_bca() -> None:
    studies = np.random.default_rng(3).exponential(size=(200, 2000))
    assert 0.93 <= coverage(bootstrap_many(studies, method="bca", resamples=2000), 1) <= 0.97


def test_bca_misses_skewed_values_on_both_sides_more_evenly_than_percentile() -> None:
    studies = np.random.default_rng(4).exponential(size=(60, 2000))

    def lopsidedness(method: Method) -> float:
        intervals = bootstrap_many(studies, method=method, resamples=2000)
        return abs(np.mean([i.high < 1 for i in intervals]) - np.mean([i.low > 1 for i in intervals]))

    assert lopsidedness("bca") < lopsidedness("percentile")


@pytest.mark.parametrize("method", METHODS)
def test_items_that_share_a_unit_are_covered_only_when_clustered(method: Method) -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(120), 5)
    studies = rng.normal(size=(120, 1500))[clusters] + rng.normal(size=(600, 1500))
    clustered = bootstrap_many(studies, clusters=clusters, method=method, resamples=1500)
    assert 0.93 <= coverage(clustered, 0) <= 0.97
    assert coverage(bootstrap_many(studies, method=method, resamples=1500), 0) < 0.8


def test_ratio_of_means_is_covered() -> None:
    rng = np.random.default_rng(6)

    def study(seed: int) -> Interval:
        below = rng.gamma(4, size=80)
        rows = np.column_stack([0.5 * below + rng.normal(size=80), below])
        return bootstrap(rows, lambda drawn: np.divide(*drawn.sum(axis=1).T), resamples=500, seed=seed)

    assert 0.93 <= coverage([study(seed) for seed in range(800)], 0.5) <= 0.97


def test_pearson_correlation_is_covered() -> None:
    # Of 200 pairs: the percentile interval of a correlation is a little short for a hundred pairs (covers 94 %).
    rng = np.random.default_rng(8)

    def study(seed: int) -> Interval:
        x = rng.normal(size=200)
        return correlation(x, 0.6 * x + 0.8 * rng.normal(size=200), "pearson", resamples=500, seed=seed)

    assert 0.93 <= coverage([study(seed) for seed in range(600)], 0.6) <= 0.97


def test_spearman_correlation_is_covered() -> None:
    rng = np.random.default_rng(9)
    truth = 6 / np.pi * np.arcsin(0.6 / 2)  # of a bivariate normal with Pearson's r = 0.6

    def study(seed: int) -> Interval:
        x = rng.normal(size=200)
        return correlation(x, 0.6 * x + 0.8 * rng.normal(size=200), resamples=500, seed=seed)

    assert 0.93 <= coverage([study(seed) for seed in range(600)], truth) <= 0.97


def ratings(rng: np.random.Generator, units: int) -> Floats:
    """Three raters who see a unit's true category 0 to 3 four times in five and else guess."""
    truth = rng.integers(0, 4, size=units)
    return np.where(rng.random((3, units)) < 0.8, truth, rng.integers(0, 4, size=(3, units))).astype(float)


def test_alpha_is_covered() -> None:
    rng = np.random.default_rng(10)
    truth = 0.8**2  # two raters agree beyond chance when both saw the category
    assert krippendorff_alpha(ratings(rng, 200_000)) == pytest.approx(truth, abs=0.005)
    intervals = [krippendorff_interval(ratings(rng, 150), resamples=600, seed=seed) for seed in range(800)]
    assert 0.93 <= coverage(intervals, truth) <= 0.97


def test_sign_flips_find_nothing_where_nothing_is_in_five_of_a_hundred() -> None:
    rng = np.random.default_rng(11)
    found = [sign_flip_test(rng.laplace(size=40), resamples=999, seed=seed).p <= 0.05 for seed in range(1500)]
    assert 0.035 <= np.mean(found) <= 0.065


def test_flipping_clusters_keeps_the_error_rate_that_flipping_items_loses() -> None:
    rng = np.random.default_rng(12)
    clusters = np.repeat(np.arange(20), 5)
    studies = [rng.normal(size=20)[clusters] + rng.normal(size=100) for _ in range(800)]
    whole = np.mean([sign_flip_test(study, clusters=clusters, resamples=499).p <= 0.05 for study in studies])
    single = np.mean([sign_flip_test(study, resamples=499).p <= 0.05 for study in studies])
    assert whole <= 0.07
    assert single > 0.15


def test_label_shuffles_find_nothing_where_nothing_is_in_five_of_a_hundred() -> None:
    studies = np.random.default_rng(13).exponential(size=(50, 2000))
    _, p = permutation_test_many(studies, np.arange(50) < 20, resamples=1999)
    assert 0.035 <= np.mean(p <= 0.05) <= 0.065
