"""How often a method claims something, and how often its intervals cover the truth, over simulated answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tacit.methods.base import Method, Settings, Tables
from tacit.statistics import Interval, share_interval

__all__ = ["Coverage", "FalseClaims", "count_claims", "interval_coverage", "simulate_tables"]

Simulate = Callable[[int], pl.DataFrame]
"""Answers of a simulated model, from a seed."""


@dataclass(frozen=True)
class FalseClaims:
    """How often the claims of one family were made over simulated data sets in which none of them is true.

    Attributes:
        family: The family of claims.
        error: What the method states.
        any_claim: The share of data sets in which at least one claim was made, with Wilson's interval: the family-wise
            error, and, where every claim is false, also the false discovery rate.
    """

    family: str
    error: float
    any_claim: Interval

    @property
    def holds(self) -> bool:
        """Whether the data sets do not show that claims are made more often than stated."""
        return self.any_claim.low <= self.error


@dataclass(frozen=True)
class Coverage:
    """How often the interval of a row covered the truth."""

    measure: str
    group: str
    covered: Interval
    marked: bool
    """Whether the row carries a caution, so that it promises less."""


def simulate_tables(
    method: Method[Any, Any], materials: Any, settings: Settings, simulate: Simulate, seeds: Iterable[int]
) -> list[Tables]:
    """The tables that a method makes of each simulated model."""
    return [method.measure(materials, settings, simulate(seed)) for seed in seeds]


def count_claims(method: Method[Any, Any], simulated: Sequence[Tables]) -> dict[str, FalseClaims]:
    """How often each family of claims is made over simulated models that can be interpreted, by the family's name."""
    made: Counter[str] = Counter()
    errors: dict[str, float] = {}
    for tables in simulated:
        verdicts = method.verdicts(tables) if method.validity(tables).can_be_interpreted else []
        errors |= {verdict.family: verdict.error for verdict in verdicts}
        made.update({verdict.family for verdict in verdicts if verdict.holds})
    return {
        family: FalseClaims(family, error, share_interval([1] * made[family] + [0] * (len(simulated) - made[family])))
        for family, error in errors.items()
    }


def interval_coverage(simulated: Sequence[Tables], truth: Callable[[str, str], float] | None = None) -> list[Coverage]:
    """How often each aggregate interval covers the truth.

    Args:
        simulated: Tables of data sets from one population.
        truth: The true value of a measure and group; by default the mean of the estimates over all data sets.
    """
    rows = pl.concat(
        [
            tables["measures"].filter(pl.col("item").is_null()).drop_nulls(["value", "low", "high"])
            for tables in simulated
        ]
    )
    covered = []
    for (measure, group), estimates in rows.group_by(["measure", "group"], maintain_order=True):
        mean = float(estimates["value"].to_numpy().mean())
        value = mean if truth is None else truth(str(measure), str(group))
        inside = (estimates["low"] <= value) & (value <= estimates["high"])
        marked = bool(estimates["caution"].is_not_null().any())
        covered.append(Coverage(str(measure), str(group), share_interval(inside.to_numpy()), marked))
    return covered
