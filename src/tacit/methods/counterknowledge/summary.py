"""The result of a stereotype probe in a few plain sentences."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import Tables

__all__ = ["sentences"]

_Row = dict[str, Any]


def sentences(tables: Tables, model: str) -> list[str]:
    """What the base prompts show, how it fits the statistics, what knowledge moved, and how much was neither."""
    names = dict(tables["names"].iter_rows())
    reach = tables["items"]["reach"][0]
    measures = tables["measures"].filter(pl.col("item").is_null())
    return [
        _base(measures, reach, names, model),
        *_correlation(measures, reach, names),
        _moved(measures, reach),
        _neither(measures, tables["words"]),
    ]


def _base(measures: pl.DataFrame, reach: str, names: dict[str, str], model: str) -> str:
    first, second = (_row(measures, f"{names[side]} words, {reach}", "base")["value"] for side in ("first", "second"))
    lean = _row(measures, f"stereotype, {reach}", "base")
    said = "with the stereotype" if lean["low"] > 0 else "against the stereotype" if lean["high"] < 0 else "neither way"
    return (
        f"Without knowledge {model} gives {names['first']} words {first:.3f} and {names['second']} words {second:.3f} "
        f"({reach}); over {lean['n']} {names['many']} it leans {said} ({_interval(lean)})."
    )


def _correlation(measures: pl.DataFrame, reach: str, names: dict[str, str]) -> list[str]:
    found = measures.filter(pl.col("measure") == f"correlation with the {names['statistic']}, {reach}")
    if found.is_empty() or found["value"][0] is None:
        return []
    row = found.row(0, named=True)
    share = f"Its {names['first']} share by {names['one']}"
    return [f"{share} correlates with the {names['statistic']} at {_interval(row)} (Spearman)."]


def _moved(measures: pl.DataFrame, reach: str) -> str:
    effects = measures.filter(pl.col("measure") == f"effect on the stereotype, {reach}")
    moved = effects.filter(pl.col("p_adjusted") < 0.05)
    if moved.is_empty():
        return f"None of the {effects.height} kinds of knowledge changes that (all corrected p ≥ .05)."
    most = moved.sort(pl.col("value").abs(), descending=True).row(0, named=True)
    way = "raises" if most["value"] > 0 else "lowers"
    as_expected = moved.filter(
        ((pl.col("value") > 0) & (pl.col("note") == "expected: raised"))
        | ((pl.col("value") < 0) & (pl.col("note") == "expected: lowered"))
    ).height
    return (
        f"{moved.height} of {effects.height} kinds of knowledge change it (corrected p < .05), {as_expected} of them "
        f"as expected; most of all {most['group']!r}, which {way} the stereotype by {_interval(most | _size(most))}."
    )


def _size(row: _Row) -> _Row:
    if row["value"] > 0:
        return {}
    return {"value": -row["value"], "low": -row["high"], "high": -row["low"]}


def _neither(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    share = measures.filter(pl.col("measure").str.contains("are neither, top") & (pl.col("group") == "base"))
    row = share.row(0, named=True)
    shown = ", ".join(words.filter(pl.col("group") == "neither")["token"].head(5))
    reach = row["measure"].rpartition(", ")[2]
    return (
        f"Of its {reach} words {row['value']:.0%} of the probability falls on words of neither group (such as {shown})."
    )


def _row(measures: pl.DataFrame, measure: str, group: str) -> _Row:
    return measures.filter((pl.col("measure") == measure) & (pl.col("group") == group)).row(0, named=True)


def _interval(row: _Row) -> str:
    value, low, high = (f"{row[part]:.3f}".replace("-0.000", "0.000") for part in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
