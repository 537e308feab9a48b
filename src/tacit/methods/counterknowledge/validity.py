"""Whether a run can be interpreted: does the model pass the positive controls?"""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import FEW_UNITS, Tables, Validity
from tacit.methods.counterknowledge.effects import NAMED_GROUP
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.prompts import TOLD_APART
from tacit.methods.counterknowledge.verdicts import LEAST_EFFECT, SIGNIFICANT
from tacit.numbers import interval_text, number, p_text

__all__ = ["judge_validity"]

# Below the first bar not one filling in a thousand names a group, so that nothing is left to compare; below the second
# fewer than one in a hundred does.
_LEAST_MASS, _CLEAR_MASS = 0.001, 0.01
# A model that does not read the item gives all items the same share: their standard deviation is far below what counts.
_LEAST_SPREAD = LEAST_EFFECT / 10
_CHANCE, _CLEARLY_APART = 0.5, 0.8


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if the blank calls for words of the groups, facts decide which, and the sentences are read."""
    items = tables["items"]
    base = items.filter((pl.col("kind") == BASE) & (pl.col("reach") == items["reach"][0]))
    names = dict(tables["names"].iter_rows())
    mass = float((base["first"] + base["second"]).to_numpy().mean())
    for reason in (*_no_mass(mass, names), *_no_spread(base, names), *_not_told_apart(tables, names)):
        return Validity("none", reason)
    reasons = [*_little_mass(mass, names), *_hardly_told_apart(tables), *_not_heeded(tables)]
    return Validity("weak", "; ".join(reasons)) if reasons else Validity()


def _no_mass(mass: float, names: dict[str, str]) -> list[str]:
    if mass >= _LEAST_MASS:
        return []
    return [f"it puts only {number(100 * mass)}% of the probability on {names['first']} and {names['second']} words"]


def _no_spread(base: pl.DataFrame, names: dict[str, str]) -> list[str]:
    shares = base["first_share"].drop_nulls().to_numpy()
    if shares.size and shares.std() >= _LEAST_SPREAD:
        return []
    return [f"it gives every {names['one']} the same share of {names['first']} words"]


def _not_told_apart(tables: Tables, names: dict[str, str]) -> list[str]:
    row = _row(tables, TOLD_APART)
    if row is None or row["low"] > _CHANCE or (row["n"] < FEW_UNITS and row["value"] > _CHANCE):
        return []
    words = f"{names['first']} from {names['second']} words"
    return [f"it cannot tell {words} where the sentence itself says which is meant ({_told_apart(row)})"]


def _little_mass(mass: float, names: dict[str, str]) -> list[str]:
    if mass >= _CLEAR_MASS:
        return []
    return [f"it puts only {100 * mass:.2f}% of the probability on {names['first']} and {names['second']} words"]


def _hardly_told_apart(tables: Tables) -> list[str]:
    row = _row(tables, TOLD_APART)
    if row is None:
        return ["it was not asked sentences that say which group is meant, so nothing shows that it knows the words"]
    if row["low"] > _CHANCE and row["value"] >= _CLEARLY_APART:
        return []
    return [f"it often gets wrong which group a sentence names ({_told_apart(row)})"]


def _not_heeded(tables: Tables) -> list[str]:
    """Without this, "knowledge changes nothing" could mean that the model does not read the sentence."""
    row = _row(tables, NAMED_GROUP)
    if row is None or ((row["value"] or 0) > 0 and row["p"] is not None and row["p"] < SIGNIFICANT):
        return []
    effect = interval_text(row["value"], row["low"], row["high"])
    numbers = ", ".join(part for part in (effect, p_text(row["p"])) if part)
    return [f"its answers do not follow the group that the knowledge names ({numbers}), so it may not read it"]


def _told_apart(row: dict[str, Any]) -> str:
    share = interval_text(row["value"], row["low"], row["high"], percent=True)
    return f"{share} of {row['n']} pairs, and 50% is chance"


def _row(tables: Tables, measure: str) -> dict[str, Any] | None:
    rows = tables["measures"].filter(
        (pl.col("measure") == measure) | pl.col("measure").str.starts_with(f"{measure}, "), pl.col("item").is_null()
    )
    return rows.row(0, named=True) if len(rows) else None
