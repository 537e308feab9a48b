"""The result of the association test in a few plain sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE

__all__ = ["summarize"]

_NAMED_WORDS = 5
_CHANCE = 0.5


def summarize(tables: Tables, model: str) -> list[str]:
    """Can the model tell reviews apart, how many neutral words lean, and which lean most?

    Args:
        tables: The tables of `compute_measures`.
        model: The model's name.
    """
    measures, words = tables["measures"], tables["words"]
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    sentences = [*_sanity(measures, model), *_leaning(measures, neutral, model)]
    several = words.filter(pl.col("pieces") > 1).height
    if several:
        sentences.append(f"{model} splits {several} of {words.height} words into several tokens; they are marked.")
    return sentences


def _sanity(measures: pl.DataFrame, model: str) -> list[str]:
    """Said where the lexicon has positive and negative words; "can" only if the whole interval is above chance."""
    told_apart = measures.filter(pl.col("measure") == "reviews told apart")
    if told_apart.is_empty():
        return []
    row = told_apart.row(0, named=True)
    above_chance = row["low"] > _CHANCE
    verdict = "can" if above_chance else "cannot reliably"
    share = f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
    doubt = "" if above_chance else " The leanings of its words therefore say little."
    return [
        f"{model} {verdict} tell positive from negative reviews: in {share} of all pairs of one positive and one "
        f"negative review, positive words are favored more after the positive one (50% = chance).{doubt}"
    ]


def _leaning(measures: pl.DataFrame, neutral: pl.DataFrame, model: str) -> list[str]:
    if neutral.is_empty():
        return []
    is_share = (pl.col("measure") == "leaning share") & (pl.col("group") == "neutral words")
    row = measures.filter(is_share).row(0, named=True)
    count = neutral.filter(pl.col("leaning") != NEUTRAL).height
    share = f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
    sentences = [f"{count} of {neutral.height} neutral words ({share}) carry sentiment in {model}."]
    for side in (POSITIVE, NEGATIVE):
        members = neutral.filter(pl.col("leaning") == side)
        if members.height:
            strongest = members.sort("effect", "word", descending=[side == POSITIVE, False])["word"].head(_NAMED_WORDS)
            sentences.append(f"Most {side}: {', '.join(strongest)}.")
    return sentences
