"""The result of the association test in a few plain sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import NEUTRAL

__all__ = ["told"]

_SHOWN = 5


def told(tables: Tables, model: str) -> list[str]:
    """Whether the model can tell reviews apart, how many neutral words lean, and which most."""
    measures, words = tables["measures"], tables["words"]
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    sentences = [*_sanity(measures, model), *_leaning(measures, neutral, model)]
    several = words.filter(pl.col("pieces") > 1).height
    if several:
        sentences.append(f"{several} of {words.height} words are several tokens to {model} and are marked.")
    return sentences


def _sanity(measures: pl.DataFrame, model: str) -> list[str]:
    found = measures.filter(pl.col("measure") == "reviews told apart")
    if found.is_empty():
        return []
    row = found.row(0, named=True)
    can = "can" if row["low"] > 0.5 else "cannot reliably"
    share = f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
    doubt = "" if row["low"] > 0.5 else ", so what follows says little about it"
    return [
        f"{model} {can} tell praise from blame: in {share} of all pairs of a positive and a negative review the "
        f"positive words stand higher after the positive one{doubt}."
    ]


def _leaning(measures: pl.DataFrame, neutral: pl.DataFrame, model: str) -> list[str]:
    if neutral.is_empty():
        return []
    of_neutral = measures.filter(pl.col("measure") == "leaning share", pl.col("group") == "neutral words")
    row = of_neutral.row(0, named=True)
    count = neutral.filter(pl.col("leaning") != NEUTRAL).height
    shares = f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
    sentences = [f"{count} of {neutral.height} neutral words ({shares}) lean in {model}."]
    for side, descending in (("praise", True), ("blame", False)):
        named = neutral.filter(pl.col("leaning") == ("positive" if descending else "negative"))
        if named.height:
            top = named.sort("effect", "word", descending=[descending, False])["word"].head(_SHOWN)
            sentences.append(f"Closest to {side}: {', '.join(top)}.")
    return sentences
