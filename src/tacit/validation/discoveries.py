"""How often claims are false, and how often true ones are made, over simulated data in which some claims are true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.methods.base import Method, Tables, Verdict
from tacit.statistics import Interval, Resampling, mean_interval, share_interval

__all__ = ["Discoveries", "count_discoveries"]

IsTrue = Callable[[Verdict], bool]
"""Whether a claim is true of the population that was simulated."""

_RESAMPLING = Resampling(resamples=2_000)


@dataclass(frozen=True)
class Discoveries:
    """What became of the claims of one family over simulated data sets.

    Attributes:
        family: The family of claims.
        correction: How the method corrects them: "holm", "bh" or "none".
        error: What the method states.
        any_false: The share of data sets in which at least one false claim was made: the family-wise error.
        false_share: The mean share of false claims among those made (0 where none was made): the false discovery rate.
        found: The mean share of the true claims that were made, which is the power; None where no claim is true.
    """

    family: str
    correction: str
    error: float
    any_false: Interval
    false_share: Interval
    found: float | None

    @property
    def holds(self) -> bool:
        """Whether the data sets do not show that false claims are made more often than stated."""
        return (self.false_share if self.correction == "bh" else self.any_false).low <= self.error


def count_discoveries(method: Method[Any, Any], simulated: Iterable[tuple[Tables, IsTrue]]) -> dict[str, Discoveries]:
    """What became of each family of claims, by its name.

    Args:
        method: The method that makes the claims.
        simulated: The tables of each data set, and which claims are true of it. In data sets that cannot be interpreted
            no claim is made.
    """
    verdicts = [
        ([], is_true) if not method.validity(tables).can_be_interpreted else (method.verdicts(tables), is_true)
        for tables, is_true in simulated
    ]
    families = {verdict.family: verdict for made, _ in verdicts for verdict in made}
    return {family: _count(example, verdicts) for family, example in families.items()}


def _count(example: Verdict, data_sets: list[tuple[list[Verdict], IsTrue]]) -> Discoveries:
    any_false, false_shares, found = [], [], []
    for verdicts, is_true in data_sets:
        members = [(verdict.holds, is_true(verdict)) for verdict in verdicts if verdict.family == example.family]
        made = sum(holds for holds, _ in members)
        false = sum(holds and not true for holds, true in members)
        any_false.append(false > 0)
        false_shares.append(false / max(1, made))
        of_true = [holds for holds, true in members if true]
        found += [float(np.mean(of_true))] if of_true else []
    return Discoveries(
        example.family,
        example.correction,
        example.error,
        share_interval(any_false),
        mean_interval(np.array(false_shares), _RESAMPLING),
        float(np.mean(found)) if found else None,
    )
