"""HERB's formulas against plain double loops and examples by hand, and what must not change them."""

from __future__ import annotations

import itertools
import math
import resource
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacit.methods.hierarchy.formulas import (
    aggregated_vector,
    alpha_share,
    alpha_softmax,
    centroid,
    descriptive_vector,
    dimension_sparseness,
    distance_to_centroid,
    grouped_sparseness,
    last_pair_sparseness,
    sparseness,
    weighted_sparseness,
)

scores = arrays(np.float64, st.tuples(st.integers(2, 8), st.integers(1, 6)), elements=st.floats(-9, -0.01))


def slow_weighted(vectors, weights_of, per_pair=False):
    pairs = list(itertools.combinations(range(len(vectors)), 2))
    raised = {(i, j): math.exp(weights_of[i] + weights_of[j]) for i, j in pairs}
    mass = sum(raised.values())
    total = sum(raised[i, j] / mass * math.dist(vectors[i], vectors[j]) for i, j in pairs)
    return total / len(pairs) if per_pair else total


def slow_dimensions(vectors):
    pairs = list(itertools.combinations(vectors, 2))
    return [sum(abs(a[i] - b[i]) for a, b in pairs) / len(pairs) for i in range(len(vectors[0]))]


# Three regions, two words: a right-angled triangle with sides 3, 4 and 5.
TRIANGLE = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])


def test_triangle_has_the_mean_of_its_sides():
    assert sparseness(TRIANGLE) == pytest.approx((3 + 4 + 5) / 3)


def test_triangle_sides_on_each_axis():
    assert dimension_sparseness(TRIANGLE) == pytest.approx([(3 + 0 + 3) / 3, (0 + 4 + 4) / 3])


def test_weights_sum_to_one_so_equal_scores_give_the_mean_distance():
    assert weighted_sparseness(TRIANGLE, [0.7, 0.7, 0.7]) == pytest.approx(4.0)


def test_equation_8_as_printed_divides_once_more_by_the_number_of_pairs():
    assert weighted_sparseness(TRIANGLE, [0, 0, 0], weights="per-pair") == pytest.approx(4.0 / 3)


def test_a_heavy_pair_pulls_the_mean_toward_its_own_distance():
    e = math.e
    # The scores 0, 1, 1 weigh the sides 3 (0+1), 4 (0+1) and 5 (1+1) as e, e and e squared.
    assert weighted_sparseness(TRIANGLE, [0, 1, 1]) == pytest.approx((3 * e + 4 * e + 5 * e * e) / (2 * e + e * e))


def test_vector_has_length_one_and_keeps_its_direction():
    assert descriptive_vector([-3.0, -4.0]) == pytest.approx([-0.6, -0.8])


def test_distance_to_centroid_of_a_pair_is_half_its_distance():
    assert distance_to_centroid([[0.0, 0.0], [6.0, 8.0]]) == pytest.approx([5.0, 5.0])


def test_alpha_of_two_dimensions():
    assert alpha_softmax([0.0, math.log(3)]) == pytest.approx([0.25, 0.75])
    assert alpha_share([1.0, 3.0]) == pytest.approx([0.25, 0.75])
    assert alpha_share([0.0, 0.0]) == pytest.approx([0.5, 0.5])


def test_aggregated_vector_adds_the_weighted_centroid():
    assert aggregated_vector([1.0, 2.0], [0.25, 0.75], centroid(TRIANGLE)) == pytest.approx([1.25, 3.0])


def test_last_pair_of_the_reference_code():
    assert last_pair_sparseness(TRIANGLE) == pytest.approx([9 / 3, 16 / 3])


def test_softmax_is_nearly_uniform_at_the_scale_of_the_paper():
    """Defect c: 112 coordinates of a unit vector differ by thousandths, so alpha is 1/112 within half a percent."""
    cities = descriptive_vector(np.random.default_rng(0).normal(-3, 0.22, (50, 112)))
    assert sparseness(cities) == pytest.approx(0.1, abs=0.01)  # the widest of Table 2
    assert np.abs(alpha_softmax(dimension_sparseness(cities)) * 112 - 1).max() < 0.005


@given(scores)
def test_same_as_the_double_loop(values):
    weights_of = values[:, 0]
    scale = float(np.abs(values).max())
    assert weighted_sparseness(values, weights_of) == pytest.approx(slow_weighted(values, weights_of), abs=1e-6 * scale)
    assert weighted_sparseness(values, weights_of, weights="per-pair") == pytest.approx(
        slow_weighted(values, weights_of, per_pair=True), abs=1e-6 * scale
    )
    assert dimension_sparseness(values) == pytest.approx(slow_dimensions(values), abs=1e-12)


def test_blocks_of_rows_give_the_same_as_one_double_loop():
    values = np.random.default_rng(1).normal(size=(1050, 4))
    weights_of = values[:, 0] / 10
    assert weighted_sparseness(values, weights_of) == pytest.approx(slow_weighted(values, weights_of), rel=1e-10)


@given(scores, st.randoms())
def test_order_of_sub_regions_does_not_matter(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    assert weighted_sparseness(values[order], values[order, 0]) == pytest.approx(
        weighted_sparseness(values, values[:, 0]), abs=1e-9
    )


def test_equal_sub_regions_have_a_sparseness_of_exactly_zero():
    assert sparseness(np.tile([0.1, -0.7, 0.3], (6, 1))) == 0.0


def test_every_sub_region_twice_adds_pairs_at_distance_zero():
    """n regions twice: the n twin pairs are at distance 0, the other 2n(n-1) pairs repeat each distance four times."""
    n = len(TRIANGLE)
    twice = np.concatenate([TRIANGLE, TRIANGLE])
    assert sparseness(twice) == pytest.approx(sparseness(TRIANGLE) * 2 * n * (n - 1) / (n * (2 * n - 1)))


def test_the_sparseness_of_one_region_is_undefined():
    assert np.isnan(sparseness([[0.6, 0.8]]))


def test_many_clusters_at_once_give_the_same_as_one_by_one():
    stack = np.random.default_rng(2).normal(size=(4, 7, 5))
    weights_of = stack[..., 0]
    assert weighted_sparseness(stack, weights_of) == pytest.approx(
        [float(weighted_sparseness(cluster, s)) for cluster, s in zip(stack, weights_of, strict=True)]
    )
    assert dimension_sparseness(stack)[2] == pytest.approx(dimension_sparseness(stack[2]))


def test_five_thousand_cities_take_neither_seconds_nor_a_gigabyte():
    cities = descriptive_vector(np.random.default_rng(3).normal(-3, 0.2, (5000, 112)))
    memory, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    weighted_sparseness(cities, distance_to_centroid(cities))
    alpha_softmax(dimension_sparseness(cities))
    assert time.process_time() - started < 2
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < 1e9


def test_grouped_sparseness_is_the_sparseness_of_each_group():
    generator = np.random.default_rng(4)
    vectors, scores = generator.normal(size=(40, 6)), generator.normal(size=40)
    groups = [np.arange(7), np.arange(5, 40), np.array([3, 30]), np.array([8])]
    factors = np.zeros((4, 40))
    for row, group in zip(factors, groups, strict=True):
        row[group] = np.exp(scores[group])
    expected = [float(weighted_sparseness(vectors[group], scores[group])) for group in groups]
    assert grouped_sparseness(vectors, factors) == pytest.approx(expected, nan_ok=True)
