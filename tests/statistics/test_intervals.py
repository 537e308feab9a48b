"""Bootstrap intervals: against scipy and plain loops on the same draws, closed forms, and degenerate inputs."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import Interval, bootstrap, bootstrap_many, paired_difference
from tacit.statistics.inputs import Floats, Method
from tacit.statistics.resampling import draw_units

METHODS: tuple[Method, ...] = ("percentile", "bca")
SKEWED = np.random.default_rng(7).exponential(size=40)
COINS = np.random.default_rng(8).integers(0, 2, size=35).astype(float)
numbers = st.floats(-1e6, 1e6, allow_nan=False, width=32)


def median(sample: Floats) -> Floats:
    return np.asarray(np.median(sample, axis=1))


def ratio(sample: Floats) -> Floats:
    return np.asarray(sample[..., 0].sum(axis=1) / sample[..., 1].sum(axis=1))


def widened(units: int, confidence: float = 0.95) -> tuple[float, float]:
    """Hesterberg's levels of a percentile interval, from scipy's distributions."""
    reach = np.sqrt(units / (units - 1)) * stats.t.ppf((1 + confidence) / 2, units - 1)
    return float(stats.norm.cdf(-reach)), float(stats.norm.cdf(reach))


def scipy_interval(values: Floats, statistic: str, method: Method, resamples: int) -> tuple[float, float]:
    """scipy's interval from the very draws that ours uses, so that both must agree to the last digits."""
    drawn = np.concatenate(list(draw_units(len(values), resamples, seed=0)))
    function = getattr(np, statistic)
    replicates = np.array([function(values[row]) for row in drawn])
    low, high = widened(len(values))
    result = stats.bootstrap(
        (values,),
        function,
        n_resamples=0,
        confidence_level=high - low if method == "percentile" else 0.95,
        method="BCa" if method == "bca" else method,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates),
    )
    return result.confidence_interval.low, result.confidence_interval.high


@pytest.mark.parametrize("method", METHODS)
def test_interval_of_a_mean_is_scipys_on_the_same_draws(method: Method) -> None:
    ours = bootstrap(SKEWED, method=method, resamples=999)
    assert (ours.low, ours.high) == pytest.approx(scipy_interval(SKEWED, "mean", method, 999), abs=1e-12)
    assert (ours.value, ours.n, ours.confidence, ours.method) == (pytest.approx(SKEWED.mean()), 40, 0.95, method)


@pytest.mark.parametrize("method", METHODS)
def test_interval_of_a_median_is_scipys_on_the_same_draws(method: Method) -> None:
    ours = bootstrap(SKEWED, median, method=method, resamples=999)
    assert (ours.low, ours.high) == pytest.approx(scipy_interval(SKEWED, "median", method, 999), abs=1e-12)


def test_ties_of_zeros_and_ones_count_half_in_bca() -> None:
    # scipy sums zeros and ones without rounding, so its ties are exact; ours are sums of residuals.
    ours = bootstrap(COINS, method="bca", resamples=2000)
    assert (ours.low, ours.high) == pytest.approx(scipy_interval(COINS, "mean", "bca", 2000), abs=1e-12)


def test_wide_sample_interval_approaches_the_normal_closed_form() -> None:
    values = np.random.default_rng(3).normal(5, 2, size=5000)
    half = stats.norm.ppf(0.975) * values.std() / np.sqrt(values.size)
    ours = bootstrap(values)
    assert ours.low == pytest.approx(values.mean() - half, abs=0.05 * half)
    assert ours.high == pytest.approx(values.mean() + half, abs=0.05 * half)


@pytest.mark.parametrize("method", METHODS)
def test_statistic_that_is_a_mean_gives_the_fast_path_interval(method: Method) -> None:
    fast = bootstrap(SKEWED, method=method, resamples=500)
    slow = bootstrap(SKEWED, lambda sample: sample.mean(axis=1), method=method, resamples=500)
    assert (fast.low, fast.high) == pytest.approx((slow.low, slow.high), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_clusters_are_drawn_whole_whatever_their_size(method: Method) -> None:
    labels = list("baacdddddddefghijjjjjkkkkbbbllllllllllmm")
    fast = bootstrap(SKEWED, clusters=labels, method=method, resamples=2000)
    general = bootstrap(SKEWED, lambda sample: sample.mean(axis=1), clusters=labels, method=method, resamples=2000)
    members = [np.flatnonzero(np.array(labels) == label) for label in dict.fromkeys(labels)]
    drawn = np.concatenate(list(draw_units(13, 2000, seed=0)))
    plain = [SKEWED[np.concatenate([members[unit] for unit in row])].mean() for row in drawn]
    assert fast.n == 13
    assert (fast.low, fast.high) == pytest.approx((general.low, general.high), abs=1e-12)
    if method == "percentile":
        assert (fast.low, fast.high) == pytest.approx(tuple(np.quantile(plain, widened(13))), abs=1e-12)


def test_clusters_of_one_item_change_nothing() -> None:
    assert bootstrap(SKEWED, clusters=range(40)) == bootstrap(SKEWED)


def test_items_that_repeat_within_a_cluster_bring_no_certainty() -> None:
    repeated = bootstrap(np.repeat(SKEWED, 10), clusters=np.repeat(np.arange(40), 10))
    assert (repeated.low, repeated.high) == pytest.approx((bootstrap(SKEWED).low, bootstrap(SKEWED).high), abs=1e-12)


def test_columns_resampled_together_are_each_as_if_alone() -> None:
    matrix = np.random.default_rng(1).normal(size=(30, 700))
    together = bootstrap_many(matrix, resamples=200, method="bca")
    assert len(together) == 700
    for j in (0, 511, 512, 699):
        alone = bootstrap(matrix[:, j], resamples=200, method="bca")
        assert (together[j].value, together[j].low, together[j].high) == pytest.approx(
            (alone.value, alone.low, alone.high), abs=1e-12
        )


def test_ratio_of_two_columns_keeps_each_row_together() -> None:
    rows = np.column_stack([3 * SKEWED, SKEWED])
    ours = bootstrap(rows, ratio, resamples=200)
    assert (ours.value, ours.low, ours.high) == pytest.approx((3, 3, 3))


def test_paired_difference_is_the_interval_of_the_differences() -> None:
    other = SKEWED + np.random.default_rng(2).normal(size=40)
    assert paired_difference(other, SKEWED) == bootstrap(other - SKEWED)
    assert paired_difference(other + 5, other).low == pytest.approx(5)


def test_same_seed_same_interval_and_other_seed_another() -> None:
    assert bootstrap(SKEWED, seed=4) == bootstrap(SKEWED, seed=4)
    assert bootstrap(SKEWED, seed=4) != bootstrap(SKEWED, seed=5)


@given(st.lists(numbers, min_size=2, max_size=30), st.sampled_from(METHODS))
@settings(max_examples=60, deadline=None)
def test_interval_lies_within_the_values(values: list[float], method: Method) -> None:
    ours = bootstrap(values, method=method, resamples=100)
    slack = 1e-9 * max(1.0, *map(abs, values))
    assert min(values) - slack <= ours.low <= ours.high <= max(values) + slack


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30), st.integers(-50, 50), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_interval_moves_and_stretches_with_the_values(values: list[int], shift: int, stretch: int) -> None:
    ours = bootstrap(np.array(values), method="bca", resamples=200)
    moved = bootstrap(stretch * np.array(values) + shift, method="bca", resamples=200)
    assert (moved.low, moved.high) == pytest.approx(
        (stretch * ours.low + shift, stretch * ours.high + shift), abs=1e-6, nan_ok=True
    )


@given(st.lists(numbers, min_size=3, max_size=20))
@settings(max_examples=40, deadline=None)
def test_more_confidence_is_never_narrower(values: list[float]) -> None:
    wide, narrow = (bootstrap(values, resamples=200, confidence=level) for level in (0.99, 0.8))
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, 0.0])
def test_equal_values_have_an_interval_of_no_width(value: float, method: Method) -> None:
    equal = [value] * 7
    assert bootstrap(equal, method=method) == Interval(value, value, value, 0.95, 7, method)
    clustered = bootstrap(equal, clusters=[1, 1, 1, 2, 2, 3, 3], method=method)
    assert clustered == Interval(value, value, value, 0.95, 3, method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("statistic", [None, median])
def test_one_unit_has_a_value_and_no_interval(method: Method, statistic: None) -> None:
    for alone in (
        bootstrap([3.5], statistic, method=method),
        bootstrap([3, 4], statistic, clusters=["a", "a"], method=method),
    ):
        assert (alone.value, alone.n) == (3.5, 1)
        assert np.isnan([alone.low, alone.high]).all()


def test_resamples_without_the_statistic_are_left_out_and_counted() -> None:
    def share(sample: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(sample[..., 0].sum(axis=1) / sample[..., 1].sum(axis=1))

    rows = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]])
    ours = bootstrap(rows, share, resamples=2700)
    assert ours.undefined == pytest.approx(100, abs=40)
    assert (ours.low, ours.high) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "settings_", "sentence"),
    [
        (([],), {}, "no values"),
        (([1, np.nan, np.nan, np.inf],), {}, "2 are NaN and 1 are infinite"),
        (([1, 2],), {"clusters": ["a", None]}, "1 of 2 cluster labels are missing, the first in row 1"),
        (([1, 2],), {"clusters": ["a", float("nan")]}, "1 of 2 cluster labels are missing"),
        (([1, 2],), {"clusters": ["a"]}, "1 cluster labels for 2 items"),
        (([[1, 2], [3, 4]],), {}, "2 dimensions"),
        (([1, 2], lambda sample: sample), {}, "reduce over axis 1"),
        (([1, 2],), {"method": "magic"}, "no interval method 'magic'"),
        (([1, "x"],), {}, "`values` must be numbers"),
        (([1, 2],), {"seed": -1}, "`seed` must be a whole number from 0"),
        (([1, 2],), {"resamples": 10**20}, "`resamples` must be a whole number from 1"),
        (([1, 2],), {"confidence": float("nan")}, "`confidence` must be a number"),
        (([1, 2],), {"resamples": 0}, "`resamples` must be a whole number from 1"),
        (([1, 2],), {"confidence": 95}, "`confidence` must be a number between 0 and 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    arguments: tuple[object, ...], settings_: dict[str, object], sentence: str
) -> None:
    with pytest.raises(TacitError, match=sentence):
        bootstrap(*arguments, **settings_)  # type: ignore[arg-type]


def test_pairs_of_unequal_number_are_refused() -> None:
    with pytest.raises(TacitError, match="differ in number, 2 and 3"):
        paired_difference([1, 2], [1, 2, 3])


def test_a_column_is_no_matrix() -> None:
    with pytest.raises(TacitError, match="items by columns"):
        bootstrap_many([1, 2, 3])
