"""What may be said about the result of the shift test, and when."""

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
# Below this so many labels are wrong that a shift of labels is hard to read as one of sentiment.
_CLEARLY_RIGHT = 0.6
_ONE_SIDED = 0.9
_KEY_MEASURES = (
    "balanced accuracy before",
    "positive share",
    "negative share",
    "neutral share",
    "undecided share",
    "positive-biased share",
    "negative-biased share",
    "net shift",
    "q",
    "strength",
)


def assess_validity(tables: Tables) -> Validity:
    """The positive control: does the model label reviews better than a coin?"""
    row = _row(tables["measures"], "balanced accuracy before")
    share = f"{_percent(row)} of them correctly, both classes counting alike"
    if row["low"] <= _CHANCE:
        reason = f"it is not shown to label reviews better than a coin ({share}){_one_sided(tables['reviews'])}"
        return Validity("none", reason)
    if row["value"] < _CLEARLY_RIGHT:
        return Validity("weak", f"it labels reviews hardly better than a coin ({share})")
    return Validity()


def list_verdicts(tables: Tables) -> list[Verdict]:
    """For each neutral word: does it shift labels, and is it within the margin? The study's rule states no error."""
    words = neutral_words(tables)
    if follows_study(words):
        return []
    return [*list_word_verdicts(words, "shifts labels to", "words that shift labels", "holm")]


def headline(runs: Mapping[str, Tables]) -> str:
    """How many neutral words shift the labels of each model."""
    sentences = [_headline_of(neutral_words(tables), model) for model, tables in runs.items()]
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in sentences)


def summarize(tables: Tables, model: str) -> list[str]:
    """How well the model labels reviews, what happened to the other words, which shift most, and what was asked.

    Args:
        tables: The tables of `compute_measures`.
        model: The model's name.
    """
    measures, words = tables["measures"], tables["words"]
    neutral = neutral_words(tables)
    share = _percent(_row(measures, "balanced accuracy before"))
    control = f"{model} labels {share} of the reviews correctly, both classes counting alike (50% = chance)."
    details = [] if neutral.is_empty() else [_rule(neutral), *name_strongest(neutral, "q")]
    sources = describe_sources(measures, "balanced accuracy before")
    return [control, *sources, *details, *_by_repeat(tables["by_k"]), _effort(measures, words)]


def key_rows(tables: Tables) -> pl.DataFrame:
    """The positive control, the rows about neutral words, and both for each source."""
    is_key = pl.col("measure").is_in(_KEY_MEASURES) & pl.col("item").is_null()
    about = pl.col("group").str.starts_with("neutral words") | (pl.col("group") == "all reviews")
    if not follows_study(tables["words"]):
        # The counts by sign are a table of their own, and no verdicts.
        about &= ~pl.col("group").str.contains(", K=")
    key = tables["measures"].filter(is_key & about).head(10)
    return pl.concat([key, source_rows(tables["measures"]).drop("source")])


def _headline_of(neutral: pl.DataFrame, model: str) -> str:
    if neutral.is_empty():
        return f"no neutral word was tested on {model}"
    counts, total = count_leanings(neutral), neutral.height
    shifting = counts[POSITIVE] + counts[NEGATIVE]
    sides = f"{counts[POSITIVE]} toward positive, {counts[NEGATIVE]} toward negative"
    if follows_study(neutral):
        return f"by the study's rule, {shifting} of {total} neutral words are biased in {model} ({sides})"
    others = f"{counts[NEUTRAL]} are within the margin and {counts[UNDECIDED]} undecided"
    if not shifting:
        return f"none of {total} neutral words is shown to shift the labels of {model}; {others}"
    return f"{shifting} of {total} neutral words shift the labels of {model} ({sides}); {others}"


def _one_sided(reviews: pl.DataFrame) -> str:
    most_common = max((reviews["called"] == side).sum() for side in (POSITIVE, NEGATIVE))
    if most_common <= _ONE_SIDED * reviews.height:
        return ""
    return "; it gives nearly all reviews the same label, which --set calls=balanced corrects"


def _rule(neutral: pl.DataFrame) -> str:
    if follows_study(neutral):
        return "A word counts as biased if its q is not zero, however few labels it changes; this rule states no error."
    margin, error = neutral["margin"][0], neutral["error"][0]
    return (
        f"A word shifts labels if it is shown to change more than {margin:.0%} of them on balance, in reviews like "
        f"these; that any word is decided wrongly has a probability of at most {error:.0%}. More reviews decide more "
        "words."
    )


def _by_repeat(by_k: pl.DataFrame) -> list[str]:
    """The study's counts for each K, which are about the sign of a change alone."""
    neutral = by_k.filter(pl.col("polarity") == NEUTRAL)
    if neutral.is_empty():
        return []
    ks = ", ".join(map(str, neutral["k"]))
    up, down = (", ".join(f"{share:.0%}" for share in neutral[side]) for side in (POSITIVE, NEGATIVE))
    same = neutral.row(0, named=True)
    share = {"value": same["same_way"], "low": same["same_way_low"], "high": same["same_way_high"]}
    return [
        f"Counted by sign, as in the study and without a test, words shift labels to positive ({up}) or to negative "
        f"({down}) with K = {ks}; with K = {same['k']}, {_percent(share)} of the words lower both accuracies or raise "
        "both."
    ]


def _effort(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    row = _row(measures, "questions asked")
    if row["value"] == 1:
        return f"All {row['n']} questions were asked."
    fewest = int(words["asked"].to_numpy().min())
    return (
        f"{row['n']} questions were asked, {row['value']:.0%} of those in the exact design; no word took fewer than "
        f"{fewest} reviews."
    )


def _row(measures: pl.DataFrame, measure: str) -> dict[str, float]:
    return measures.filter(pl.col("measure") == measure).row(0, named=True)


def _percent(row: Mapping[str, float]) -> str:
    return f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
