"""Tests by rearranging: flipping the signs of paired differences, and shuffling the labels of two groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Alternative, Floats, check_alternative, cluster_codes, column, finite
from tacit.statistics.resampling import Units, chunk_rows

__all__ = [
    "TestResult",
    "all_flips",
    "p_value",
    "permutation_test",
    "permutation_test_many",
    "random_flips",
    "sign_flip_test",
    "sign_flip_test_many",
]


@dataclass(frozen=True)
class TestResult:
    """A test's statistic and p-value; `n` counts the rearranged units, `resamples` the rearrangements looked at."""

    __test__ = False  # pytest would otherwise take the name for a test class

    statistic: float
    p: float
    n: int
    exact: bool
    resamples: int


def sign_flip_test(
    differences: npt.ArrayLike,
    *,
    clusters: Iterable[Hashable] | None = None,
    alternative: Alternative = "two-sided",
    resamples: int = 10_000,
    seed: int = 0,
) -> TestResult:
    """Is the mean of paired differences zero? Under the null hypothesis each unit's sign is a coin's.

    p = #{T* ≥ T} / 2ⁿ over all sign patterns when there are no more than `resamples` of them, otherwise
    (#{T* ≥ T} + 1) / (resamples + 1) over random ones; T is |mean|, mean or −mean. With clusters, the items of
    one flip together. Units whose difference is zero stay in the mean and in n, but their sign changes nothing.
    """
    check_alternative(alternative, resamples, seed)
    items = column(differences, "differences")
    units = Units.of(cluster_codes(clusters, items.size), items.size)
    sums = units.sums(items)
    moving = sums[sums != 0]
    exact = 2**moving.size <= resamples
    looked_at = 2**moving.size if exact else resamples
    signs = all_flips(moving.size) if exact else random_flips(moving.size, resamples, seed)
    flipped = np.concatenate([2 * (kept @ moving) for kept in signs]) - moving.sum()
    p = p_value(flipped[:, None], moving.sum()[None], np.abs(moving).sum()[None], alternative, exact)
    return TestResult(float(items.mean()), float(p[0]), len(units), exact, looked_at)


def sign_flip_test_many(differences: npt.ArrayLike, *, resamples: int = 10_000, seed: int = 0) -> Floats:
    """Which columns of differences (units, columns) have a mean other than zero? A unit's columns flip together.

    T_j = |Σᵢ dᵢⱼ| / √(Σᵢ dᵢⱼ²), whose scale no flip changes. The p-value of a column counts the flips whose largest T*
    over all columns is at least T_j (Westfall and Young 1993). It is corrected for all columns, however they depend on
    each other: the chance of any false finding is bounded, and the smallest p-value is that of "any column at all". The
    p-values are exact if there are no more than `resamples` flips.
    """
    check_alternative("two-sided", resamples, seed)
    matrix = finite(differences)
    if matrix.ndim != 2:
        raise TacitError(f"The differences have {matrix.ndim} dimensions where units by columns are needed.")
    scale, units = np.sqrt((matrix**2).sum(axis=0)), len(matrix)
    scaled = matrix / np.where(scale > 0, scale, 1.0)
    exact = 2**units <= resamples
    flips = all_flips(units) if exact else random_flips(units, resamples, seed)
    largest = np.concatenate([np.abs((2 * kept - 1) @ scaled).max(axis=1) for kept in flips])
    return p_value(largest[:, None], np.abs(scaled.sum(axis=0)), np.ones(matrix.shape[1]), "greater", exact)


def permutation_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    resamples: int = 10_000,
    seed: int = 0,
) -> TestResult:
    """Have two groups the same mean? Under the null hypothesis any item could have carried either label.

    The statistic is mean(a) − mean(b); p is counted over all C(n, n_a) labellings when there are no more than
    `resamples` of them, otherwise it is (#{T* ≥ T} + 1) / (resamples + 1) over random ones.
    """
    first, second = column(a, "first values"), column(b, "second values")
    values = np.concatenate([first, second])[:, None]
    labels = np.arange(len(values)) < first.size
    differences, p = permutation_test_many(values, labels, alternative=alternative, resamples=resamples, seed=seed)
    labellings = comb(labels.size, first.size)
    exact = labellings <= resamples
    return TestResult(float(differences[0]), float(p[0]), labels.size, exact, labellings if exact else resamples)


def permutation_test_many(
    values: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    """`permutation_test` of every column of values (n, m): differences mean(label 1) − mean(label 0), and their p."""
    check_alternative(alternative, resamples, seed)
    matrix, first = finite(values), _two_groups(labels)
    if matrix.ndim != 2 or len(matrix) != first.size:
        raise TacitError(
            f"The values have shape {matrix.shape} where {first.size} labelled rows by columns are needed."
        )
    in_first, n = int(first.sum()), first.size
    exact = comb(n, in_first) <= resamples
    # The difference of means is n / (n₁ n₀) times the first group's sum of residuals, so sums can be compared instead.
    residuals = matrix - np.where(np.ptp(matrix, axis=0) == 0, matrix[0], matrix.mean(axis=0))
    observed, scale = first @ residuals, np.abs(residuals).sum(axis=0)
    labellings = _all_labellings(n, in_first) if exact else _random_labellings(first, resamples, seed)
    extreme = np.zeros(matrix.shape[1])
    for labelling in labellings:
        extreme += _extreme(labelling @ residuals, observed, scale, alternative)
    differences = observed * n / (in_first * (n - in_first))
    return differences, extreme / comb(n, in_first) if exact else (extreme + 1) / (resamples + 1)


def p_value(rearranged: Floats, observed: Floats, scale: Floats, alternative: Alternative, exact: bool) -> Floats:
    """#{T* ≥ T} / m over all m rearrangements (rows), or (#{T* ≥ T} + 1) / (m + 1) over random ones; by column."""
    extreme = _extreme(rearranged, observed, scale, alternative)
    return extreme / len(rearranged) if exact else (extreme + 1) / (len(rearranged) + 1)


def _two_groups(labels: npt.ArrayLike) -> Floats:
    marks = column(labels, "labels")
    if not np.isin(marks, (0.0, 1.0)).all() or np.ptp(marks) == 0:
        raise TacitError(
            "The labels must be true (or 1) for one group and false (or 0) for the other, with items in both."
        )
    return marks


def _extreme(rearranged: Floats, observed: Floats, scale: Floats, alternative: Alternative) -> Floats:
    # A rearrangement that equals the observed one must count although its sum was rounded otherwise.
    tolerance = 1e-12 * scale
    if alternative == "two-sided":
        rearranged, observed = np.abs(rearranged), np.abs(observed)
    if alternative == "less":
        rearranged, observed = -rearranged, -observed
    extreme: Floats = np.sum(rearranged >= observed - tolerance, axis=0).astype(np.float64)
    return extreme


def all_flips(units: int) -> Iterator[Floats]:
    """Every pattern of flips as zeros and ones, one row per pattern."""
    rows = chunk_rows(units)
    for start in range(0, 2**units, rows):
        patterns = np.arange(start, min(start + rows, 2**units))[:, None]
        yield ((patterns >> np.arange(units)) & 1).astype(np.float64)


def random_flips(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Random patterns of flips, one row per pattern."""
    rng = np.random.default_rng(seed)
    rows = chunk_rows(units)
    for start in range(0, resamples, rows):
        shape = (min(rows, resamples - start), units)
        bits = np.frombuffer(rng.bytes(-(-shape[0] * shape[1] // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _all_labellings(n: int, in_first: int) -> Iterator[Floats]:
    chosen = combinations(range(n), in_first)
    while rows := list(islice(chosen, chunk_rows(n))):
        members = np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(len(rows), in_first)
        labelling = np.zeros((len(rows), n))
        np.put_along_axis(labelling, members, 1.0, axis=1)
        yield labelling


def _random_labellings(first: Floats, resamples: int, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    rows = chunk_rows(first.size)
    for start in range(0, resamples, rows):
        yield rng.permuted(np.broadcast_to(first, (min(rows, resamples - start), first.size)), axis=1)
