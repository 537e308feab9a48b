"""What may be said about the result of the association test, and when."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.methods.base import Tables, Validity, Verdict
from tacit.methods.sentiment.agreement import neutral_words
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.methods.sentiment.measures import (
    UNDECIDED,
    count_leanings,
    follows_study,
    list_word_verdicts,
    name_strongest,
)
from tacit.methods.sentiment.sources import describe_sources, source_rows

__all__ = ["assess_validity", "headline", "key_rows", "list_verdicts", "summarize"]

_CHANCE = 0.5
# Below this a model tells so few pairs of reviews apart that the leanings of single words are hard to read.
_CLEARLY_APART = 0.6
_KEY_MEASURES = (
    "reviews told apart",
    "leaning positive share",
    "leaning negative share",
    "within the margin share",
    "undecided share",
    "association",
    "strength",
    "positive-biased share",
    "negative-biased share",
)


def assess_validity(tables: Tables) -> Validity:
    """The positive control: after a positive review, are positive words favored more than after a negative one?"""
    rows = tables["measures"].filter(pl.col("measure") == "reviews told apart")
    if rows.is_empty():
        return Validity("weak", "the lexicon has no positive and negative words to check that it senses sentiment")
    row = rows.row(0, named=True)
    share = f"it ranks the positive review above the negative one in {_percent(row)} of pairs, and 50% is chance"
    if row["low"] <= _CHANCE:
        return Validity("none", f"it is not shown to tell positive from negative reviews ({share})")
    if row["value"] < _CLEARLY_APART:
        return Validity("weak", f"it hardly tells positive from negative reviews ({share})")
    return Validity()


def list_verdicts(tables: Tables) -> list[Verdict]:
    """For each neutral word: does it lean, and is it within the margin? The study's rule states no error."""
    words = neutral_words(tables)
    return [] if follows_study(words) else [*list_word_verdicts(words, "leans", "words that lean", "bh")]


def headline(runs: Mapping[str, Tables]) -> str:
    """How many neutral words carry sentiment in each model."""
    sentences = [_headline_of(neutral_words(tables), model) for model, tables in runs.items()]
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)


def summarize(tables: Tables, model: str) -> list[str]:
    """Can the model tell reviews apart, how many neutral words are undecided, and which lean most?

    Args:
        tables: The tables of `compute_measures`.
        model: The model's name.
    """
    words, neutral = tables["words"], neutral_words(tables)
    sentences = _control(tables["measures"], model) + describe_sources(tables["measures"], "reviews told apart")
    if not neutral.is_empty():
        sentences += _rule(neutral) + name_strongest(neutral, "m" if follows_study(neutral) else "effect")
    several = words.filter(pl.col("pieces") > 1).height
    if several:
        sentences.append(f"{model} splits {several} of {words.height} words into several tokens; they are marked.")
    return sentences


def key_rows(tables: Tables) -> pl.DataFrame:
    """The positive control, the rows about neutral words, and both for each source."""
    is_key = pl.col("measure").is_in(_KEY_MEASURES) & pl.col("item").is_null()
    about = pl.col("group").str.starts_with("neutral words") | (pl.col("group") == "all reviews")
    key = tables["measures"].filter(is_key & about).head(10)
    return pl.concat([key, source_rows(tables["measures"]).drop("source")])


def _headline_of(neutral: pl.DataFrame, model: str) -> str:
    if neutral.is_empty():
        return f"no neutral word was tested on {model}"
    counts, total = count_leanings(neutral), neutral.height
    sides, leaning = f"{counts[POSITIVE]} positive, {counts[NEGATIVE]} negative", counts[POSITIVE] + counts[NEGATIVE]
    if follows_study(neutral):
        return f"by the study's rule, {leaning} of {total} neutral words are biased in {model} ({sides})"
    others = f"{counts[NEUTRAL]} are within the margin and {counts[UNDECIDED]} undecided"
    if not leaning:
        return f"none of {total} neutral words is shown to carry sentiment in {model}; {others}"
    return f"{leaning} of {total} neutral words carry sentiment in {model} ({sides}); {others}"


def _control(measures: pl.DataFrame, model: str) -> list[str]:
    rows = measures.filter(pl.col("measure") == "reviews told apart")
    if rows.is_empty():
        return []
    share = _percent(rows.row(0, named=True))
    return [
        f"{model} can tell positive from negative reviews: it favors positive words more after the positive review in "
        f"{share} of pairs (50% = chance)."
    ]


def _rule(neutral: pl.DataFrame) -> list[str]:
    if follows_study(neutral):
        return [
            "A word counts as biased if its mean probability is half a standard deviation higher after reviews of one "
            "class; this rule states no error, and chance meets it more often the fewer reviews there are."
        ]
    margin, error = neutral["margin"][0], neutral["error"][0]
    return [
        "A word carries sentiment if its log-probability is shown to differ between positive and negative reviews by "
        f"more than the margin of {margin:g} standard deviations (Cohen's d); of the words said to lean, and of those "
        f"said to be within the margin, at most {error:.0%} are wrong on average. More reviews decide more words."
    ]


def _percent(row: Mapping[str, float]) -> str:
    return f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
