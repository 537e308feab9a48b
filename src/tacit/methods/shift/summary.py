"""The result of the shift test in a few plain sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE

__all__ = ["summarize"]

_NAMED_WORDS = 5
_CHANCE = 0.5
_ONE_SIDED = 0.9


def summarize(tables: Tables, model: str) -> list[str]:
    """How well the model labels reviews, how many neutral words shift its labels, which most, and what was asked.

    Args:
        tables: The tables of `compute_measures`.
        model: The model's name.
    """
    measures, words = tables["measures"], tables["words"]
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    accuracy = _accuracy(measures, tables["reviews"], model)
    return [accuracy, *_counts(neutral, model), *_strongest(neutral), _effort(measures, words)]


def _accuracy(measures: pl.DataFrame, reviews: pl.DataFrame, model: str) -> str:
    is_overall = (pl.col("measure") == "accuracy before") & (pl.col("group") == "all reviews")
    row = measures.filter(is_overall).row(0, named=True)
    share = f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
    if row["low"] > _CHANCE:
        return f"{model} labels {share} of the reviews correctly."
    doubt = f"{model} labels {share} of the reviews correctly, no better than chance, so its shifts say little."
    most_common = max((reviews["called"] == side).sum() for side in (POSITIVE, NEGATIVE))
    if most_common <= _ONE_SIDED * reviews.height:
        return doubt
    return f"{doubt} It gives nearly all reviews the same label; --set calls=balanced corrects for that."


def _counts(neutral: pl.DataFrame, model: str) -> list[str]:
    if neutral.is_empty():
        return []
    counts = {side: neutral.filter(pl.col("leaning") == side).height for side in (POSITIVE, NEGATIVE, NEUTRAL)}
    undecided = neutral.height - sum(counts.values())
    return [
        f"Neutral words tested on {model}: {neutral.height}. Labels shift toward positive with {counts[POSITIVE]} of "
        f"them, toward negative with {counts[NEGATIVE]}, and stay within the margin with {counts[NEUTRAL]}"
        + (f"; {undecided} are undecided." if undecided else ".")
    ]


def _strongest(neutral: pl.DataFrame) -> list[str]:
    sentences = []
    for side in (POSITIVE, NEGATIVE):
        members = neutral.filter(pl.col("leaning") == side).sort("q", "word", descending=[side == POSITIVE, False])
        if members.height:
            sentences.append(f"Most {side}: {', '.join(members['word'].head(_NAMED_WORDS))}.")
    return sentences


def _effort(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    row = measures.filter(pl.col("measure") == "questions asked").row(0, named=True)
    if row["value"] == 1:
        return f"All {row['n']} questions were asked."
    fewest = float(words["share_asked"].to_numpy().min())
    return (
        f"{row['n']} questions were asked, {row['value']:.0%} of those in the exact design; the word decided soonest "
        f"took {fewest:.1%} of its questions."
    )
