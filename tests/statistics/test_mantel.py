"""The Mantel test: by hand, against a slow recomputation, and its error under simulation."""

from __future__ import annotations

import os
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

from tacit.errors import TacitError
from tacit.statistics import mantel


def distances(points):
    points = np.asarray(points, dtype=float).reshape(len(points), -1)
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=-1))


def test_by_hand():
    """Four places on a line at 0, 1, 3, 7 have the distances 1, 3, 7, 2, 6 and 4."""
    line = distances([0, 1, 3, 7])
    assert mantel(line, line**2, resamples=99).value == pytest.approx(1)
    assert mantel(line, 10 - line, resamples=99).value == pytest.approx(-1)
    swapped = line.copy()
    swapped[0, 1] = swapped[1, 0] = 2
    swapped[1, 2] = swapped[2, 1] = 1
    # Spearman: 1 - 6 * (1 + 1) / (6 * 35), because two neighbors in rank changed places.
    assert mantel(line, swapped, resamples=99).value == pytest.approx(1 - 12 / 210)


def test_it_agrees_with_a_slow_recomputation():
    rng = np.random.default_rng(4)
    a, b = distances(rng.normal(size=(7, 2))), distances(rng.normal(size=(7, 3)))
    pairs = list(combinations(range(7), 2))

    def slow(order):
        return spearmanr([a[i, j] for i, j in pairs], [b[order[i], order[j]] for i, j in pairs]).statistic

    found = mantel(a, b, resamples=4000)
    assert found.value == pytest.approx(slow(range(7)))
    assert (found.n, found.pairs) == (7, 21)
    shuffled = [abs(slow(rng.permutation(7))) for _ in range(2000)]
    assert found.p == pytest.approx(np.mean(np.array(shuffled) >= abs(found.value)), abs=0.04)


def test_the_numbering_of_the_items_does_not_matter():
    rng = np.random.default_rng(5)
    a, b = distances(rng.normal(size=(12, 2))), distances(rng.normal(size=(12, 2)))
    order = rng.permutation(12)
    one, other = mantel(a, b, resamples=99), mantel(a[order][:, order], b[order][:, order], resamples=99)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_inside_groups_what_differs_between_groups_does_not_count():
    """Groups far apart in both spaces, and nothing in common inside them."""
    rng = np.random.default_rng(6)
    groups = np.repeat(["a", "b", "c"], 20)
    centers = np.repeat([[0, 0], [50, 0], [0, 50]], 20, axis=0)
    a, b = distances(centers + rng.normal(size=(60, 2))), distances(centers + rng.normal(size=(60, 2)))
    assert mantel(a, b, resamples=199).value > 0.7
    inside = mantel(a, b, within=groups.tolist(), resamples=199)
    assert abs(inside.value) < 0.2
    assert inside.p > 0.05
    assert inside.pairs == 3 * 190
    # Of the same points inside each group, of whatever size, the distances go together.
    shared = rng.normal(size=(60, 2))
    scaled = np.repeat([1, 20, 3], 20)[:, None] * shared
    assert mantel(distances(shared), distances(scaled), within=groups.tolist(), resamples=99).value == pytest.approx(1)


def test_equal_distances_have_no_correlation():
    same = np.ones((5, 5)) - np.eye(5)
    assert np.isnan(mantel(same, distances(range(5)), resamples=9).value)


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (np.ones((4, 3)), "square matrix"),
        (np.triu(np.ones((5, 5))), "same in both"),
        (np.ones((4, 4)), "5 and 4 items"),
    ],
)
def test_what_are_no_distances_is_refused(second, problem):
    with pytest.raises(TacitError, match=problem):
        mantel(np.ones((5, 5)), second)


@pytest.mark.parametrize("effect", [0.0, 1.0])
def test_the_error_is_as_stated_and_intervals_cover(effect):
    """Places on a globe, and vectors in clusters with tails: no relation at effect 0, the places added at effect 1."""
    runs = 400 if os.environ.get("TACIT_CALIBRATE") else 60
    size = 40
    found = []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        places = rng.normal(size=(size, 3))
        places /= np.linalg.norm(places, axis=1, keepdims=True)
        clusters = rng.normal(size=(6, 4))[rng.integers(6, size=size)]
        vectors = clusters + rng.normal(size=(size, 4)) * rng.gamma(2, 0.5, size=(size, 1))
        vectors[:, :3] += effect * places
        found.append(mantel(distances(places), distances(vectors), resamples=199, seed=seed))
    truth = 0.0 if effect == 0 else float(np.mean([one.value for one in found]))
    covered = np.mean([one.low <= truth <= one.high for one in found])
    slack = 3 * np.sqrt(0.05 * 0.95 / runs)
    assert covered > 0.95 - slack
    rejected = np.mean([one.p <= 0.05 for one in found])
    assert rejected < 0.05 + slack if effect == 0 else rejected > 0.3
