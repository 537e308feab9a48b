"""What may be claimed of a row, and every claim that the summary could make."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, Verdict
from tacit.statistics import holm

__all__ = [
    "ALL_ITEMS",
    "CONTEXT",
    "DIFFERS",
    "ERROR",
    "PREFERS",
    "RELATES",
    "UNDECIDED",
    "judge",
    "list_verdicts",
]

ALL_ITEMS = "all items"
"""The group of everything."""
ERROR = 0.05
UNDECIDED = "undecided"

# What is said of a value above its neutral point, and below.
PREFERS = ("prefers the word", "prefers the rival")
CONTEXT = ("context helps", "context hurts")
RELATES = ("rises", "falls")
DIFFERS = ("higher", "lower")


def judge(rows: list[MeasureRow], sides: tuple[str, str]) -> list[MeasureRow]:
    """The rows of one family of tests with p-values corrected by Holm, and what may be said of each."""
    tested = np.array([(row["p"], row["value"], row["neutral"]) for row in rows], dtype=np.float64).reshape(-1, 3)
    adjusted = holm(tested[:, 0])
    sides_of = [sides[0] if value > neutral else sides[1] for _, value, neutral in tested]
    return [
        row if np.isnan(p) else {**row, "p_adjusted": float(p), "verdict": side if p < ERROR else UNDECIDED}
        for row, p, side in zip(rows, adjusted, sides_of, strict=True)
    ]


def list_verdicts(tables: Tables) -> list[Verdict]:
    """The families: all items, each word, context, what explains accuracy, and how categories differ."""
    judged = tables["measures"].filter(pl.col("verdict").is_not_null() & pl.col("item").is_null())
    verdicts = []
    for measure, group, verdict in judged.select("measure", "group", "verdict").iter_rows():
        family, corrected = _family(measure, group)
        holds = verdict != UNDECIDED
        verdicts.append(Verdict(f"{measure} ({group})", holds, family, "holm" if corrected else "none", ERROR))
    return verdicts


def _family(measure: str, group: str) -> tuple[str, bool]:
    """The family of a tested row, and whether others are in it."""
    if " ~ " in measure:
        return f"{measure.partition(' ~ ')[0]} explained", True
    if measure == "acc":
        return ("preference", False) if group == ALL_ITEMS else ("preference for each word", True)
    return measure, measure.endswith("difference")
