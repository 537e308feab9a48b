"""How many items several sets share, and how many they would share by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.errors import TacitError
from tacit.statistics.inputs import Floats, Integers
from tacit.statistics.resampling import Resampling, chunk_rows

__all__ = ["Overlap", "overlaps"]


@dataclass(frozen=True)
class Overlap:
    """The number of items that are in at least so many of several sets.

    Attributes:
        at_least: In how many sets.
        count: The number of items.
        expected: The mean number by chance.
        low: The lower end of the interval that holds the number by chance.
        high: Its upper end.
        p: How often chance shares as much or more.
        share: The count as a share of the items that are in any set; NaN if there is none.
        expected_share: The mean of that share by chance.
    """

    at_least: int
    count: int
    expected: float
    low: float
    high: float
    p: float
    share: float
    expected_share: float


def overlaps(sets: npt.ArrayLike, resampling: Resampling) -> list[Overlap]:
    """How many items are in at least j of S sets, for j = 1 … S, and what chance would give.

    c_j = #{i: Σ_s x_si ≥ j}. By chance, every set would hold as many items as it does, but any of them: the items of
    each set are permuted, independently of the other sets. The interval is that of the permuted c_j*, and p is
    (#{c_j* ≥ c_j} + 1) / (R + 1); for j = 1 it counts c_1* ≤ c_1, because sets that share more have fewer items in all.

    Args:
        sets: True where a set (row) holds an item (column).
        resampling: How many permutations, the confidence of the interval, and the seed.
    """
    members = np.asarray(sets, dtype=bool)
    if members.ndim != 2 or not members.size:
        raise TacitError(f"The sets have shape {members.shape} where sets by items are needed.")
    observed, permuted = _counts(members), _permuted_counts(members, resampling)
    levels = (1 - resampling.confidence) / 2, (1 + resampling.confidence) / 2
    found = []
    for place, count in enumerate(observed):
        chance = permuted[:, place]
        extreme = (chance >= count) if place else (chance <= count)
        low, high = np.quantile(chance, levels, method="closest_observation")
        shares = chance / np.maximum(permuted[:, 0], 1)
        share = float(count / observed[0]) if observed[0] else float("nan")
        found.append(
            Overlap(
                at_least=place + 1,
                count=int(count),
                expected=float(chance.mean()),
                low=float(low),
                high=float(high),
                p=float((extreme.sum() + 1) / (len(chance) + 1)),
                share=share,
                expected_share=float(shares.mean()) if observed[0] else float("nan"),
            )
        )
    return found


def _counts(members: npt.NDArray[np.bool_]) -> Integers:
    """c_j for j = 1 … S."""
    held = members.sum(axis=0)
    return np.array([(held >= j).sum() for j in range(1, len(members) + 1)])


def _permuted_counts(members: npt.NDArray[np.bool_], resampling: Resampling) -> Floats:
    """The c_j of each permutation (permutations, S)."""
    rng, (sets, items) = np.random.default_rng(resampling.seed), members.shape
    rows, counts = chunk_rows(items), []
    for start in range(0, resampling.resamples, rows):
        shape = (min(rows, resampling.resamples - start), items)
        held = np.zeros(shape, dtype=np.int64)
        for row in members:
            held += rng.permuted(np.broadcast_to(row, shape), axis=1)
        counts.append(np.stack([(held >= j).sum(axis=1) for j in range(1, sets + 1)], axis=1))
    return np.concatenate(counts).astype(np.float64)
