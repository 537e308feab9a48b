"""Means and variances of groups, column by column: all that many two-group statistics need of the values."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.statistics.inputs import Floats, Integers

__all__ = ["Moments"]


@dataclass(frozen=True)
class Moments:
    """The first two moments of one group of items.

    Attributes:
        mean: Mean of each column (or of each resample and column).
        variance: Population variance (divided by n), shaped as `mean`.
        n: Number of items in the group (or in that of each resample).
    """

    mean: Floats
    variance: Floats
    n: int | Integers

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of each column of `values` (items, columns)."""
        return cls(values.mean(axis=0), values.var(axis=0), len(values))
