"""The result of the shift test in a few plain sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE

__all__ = ["told"]

_SHOWN = 5
_ONE_SIDED = 0.9


def told(tables: Tables, model: str) -> list[str]:
    """How well the model labels reviews, how many neutral words turn its labels, which most, and what was asked."""
    measures, words = tables["measures"], tables["words"]
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    accuracy = _accuracy(measures, tables["reviews"], model)
    return [accuracy, *_shares(neutral, model), *_named(neutral), _effort(measures, words)]


def _accuracy(measures: pl.DataFrame, reviews: pl.DataFrame, model: str) -> str:
    found = measures.filter(pl.col("measure") == "accuracy before", pl.col("group") == "all reviews").row(0, named=True)
    said = f"{model} labels {found['value']:.0%} of the reviews rightly [{found['low']:.0%}, {found['high']:.0%}]"
    if found["low"] > 0.5:
        return f"{said}."
    one_sided = max((reviews["called"] == side).sum() for side in (POSITIVE, NEGATIVE)) > _ONE_SIDED * reviews.height
    hint = "; it calls nearly all of them the same, which --set calls=balanced evens out" if one_sided else ""
    return f"{said}, no better than a coin, so its shifts say little about sentiment{hint}."


def _shares(neutral: pl.DataFrame, model: str) -> list[str]:
    if neutral.is_empty():
        return []
    counts = {side: neutral.filter(pl.col("leaning") == side).height for side in (POSITIVE, NEGATIVE, NEUTRAL)}
    undecided = neutral.height - sum(counts.values())
    return [
        f"Of {neutral.height} neutral words {counts[POSITIVE]} turn labels of {model} to positive, {counts[NEGATIVE]} "
        f"to negative, and {counts[NEUTRAL]} do not shift it beyond the margin"
        + (f"; {undecided} are undecided." if undecided else ".")
    ]


def _named(neutral: pl.DataFrame) -> list[str]:
    sentences = []
    for side, descending in ((POSITIVE, True), (NEGATIVE, False)):
        named = neutral.filter(pl.col("leaning") == side).sort("q", "word", descending=[descending, False])
        if named.height:
            sentences.append(f"Most {side}: {', '.join(named['word'].head(_SHOWN))}.")
    return sentences


def _effort(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    row = measures.filter(pl.col("measure") == "questions asked").row(0, named=True)
    fewest = float(words["share_asked"].to_numpy().min())
    if row["value"] == 1:
        return f"All {row['n']} questions were asked."
    return (
        f"{row['n']} questions were asked, {row['value']:.0%} of what the exact design asks; the word decided soonest "
        f"took {fewest:.1%} of its questions."
    )
