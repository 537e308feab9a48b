"""The result of a counterknowledge run in a few sentences."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE

__all__ = ["summarize"]

_Row = dict[str, Any]


def summarize(tables: Tables, model: str) -> list[str]:
    """Which way the base prompts lean, whether that follows the statistics, and what knowledge changes."""
    names = dict(tables["names"].iter_rows())
    reach = tables["items"]["reach"][0]
    measures = tables["measures"].filter(pl.col("item").is_null())
    return [
        _base_sentence(measures, reach, names, model),
        *_correlation_sentences(measures, reach, names),
        _effect_sentence(measures, reach),
        _neither_sentence(measures, tables["words"]),
    ]


def _base_sentence(measures: pl.DataFrame, reach: str, names: dict[str, str], model: str) -> str:
    first, second = (_row(measures, f"{names[side]} words, {reach}", BASE)["value"] for side in ("first", "second"))
    stereotype = _row(measures, f"stereotype, {reach}", BASE)
    if stereotype["low"] > 0:
        leaning = "it leans with the stereotype"
    elif stereotype["high"] < 0:
        leaning = "it leans against the stereotype"
    else:
        leaning = "no leaning with or against the stereotype can be shown"
    return (
        f"Without knowledge, {model} gives {names['first']} words a probability of {first:.3f} and {names['second']} "
        f"words {second:.3f} ({reach}). Over {stereotype['n']} {names['many']}, {leaning} "
        f"({_interval(stereotype)}; 0 = no preference)."
    )


def _correlation_sentences(measures: pl.DataFrame, reach: str, names: dict[str, str]) -> list[str]:
    rows = measures.filter(pl.col("measure") == f"correlation with the {names['statistic']}, {reach}")
    if rows.is_empty() or rows["value"][0] is None:
        return []
    correlation = _interval(rows.row(0, named=True))
    return [
        f"Its preference for {names['first']} words, by {names['one']}, correlates with the {names['statistic']} at "
        f"{correlation} (Spearman's rho)."
    ]


def _effect_sentence(measures: pl.DataFrame, reach: str) -> str:
    effects = measures.filter(pl.col("measure") == f"effect on the stereotype, {reach}")
    significant = effects.filter(pl.col("p_adjusted") < 0.05)
    if significant.is_empty():
        return f"None of the {effects.height} kinds of knowledge changes that (all corrected p ≥ .05)."
    largest = significant.sort(pl.col("value").abs(), descending=True).row(0, named=True)
    verb = "raises" if largest["value"] > 0 else "lowers"
    as_expected = significant.filter(
        ((pl.col("value") > 0) & (pl.col("note") == "expected: raised"))
        | ((pl.col("value") < 0) & (pl.col("note") == "expected: lowered"))
    ).height
    return (
        f"{significant.height} of {effects.height} kinds of knowledge change it (corrected p < .05), {as_expected} of "
        f"them as expected. The largest change: {largest['group']!r} {verb} the stereotype by "
        f"{_interval(_absolute(largest))}."
    )


def _absolute(row: _Row) -> _Row:
    if row["value"] > 0:
        return row
    return {**row, "value": -row["value"], "low": -row["high"], "high": -row["low"]}


def _neither_sentence(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    shares = measures.filter(pl.col("measure").str.contains("are neither, top") & (pl.col("group") == BASE))
    row = shares.row(0, named=True)
    examples = ", ".join(words.filter(pl.col("group") == "neither")["token"].head(5))
    reach = row["measure"].rpartition(", ")[2]
    such_as = f", such as {examples}" if examples else ""
    return f"In its {reach} words, {row['value']:.0%} of the probability is on words of neither group{such_as}."


def _row(measures: pl.DataFrame, measure: str, group: str) -> _Row:
    return measures.filter((pl.col("measure") == measure) & (pl.col("group") == group)).row(0, named=True)


def _interval(row: _Row) -> str:
    value, low, high = (f"{row[part]:.3f}".replace("-0.000", "0.000") for part in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
