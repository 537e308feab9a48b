"""What may be said about the result of the shift test, and when."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.methods.base import Tables, Validity, Verdict
from tacit.methods.sentiment.agreement import neutral_words
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.methods.sentiment.measures import UNDECIDED, count_leanings

__all__ = ["assess_validity", "headline", "key_rows", "list_verdicts", "summarize"]

_NAMED_WORDS = 5
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
    "q above zero share",
    "q below zero share",
    "q",
    "strength",
)


def assess_validity(tables: Tables) -> Validity:
    """The positive control: does the model label reviews better than a coin?"""
    row = _row(tables["measures"], "balanced accuracy before")
    share = f"{_percent(row)} of them correctly, both classes counting alike"
    if row["low"] <= _CHANCE:
        return Validity("none", f"it labels reviews no better than a coin ({share}){_one_sided(tables['reviews'])}")
    if row["value"] < _CLEARLY_RIGHT:
        return Validity("weak", f"it labels reviews hardly better than a coin ({share})")
    return Validity()


def list_verdicts(tables: Tables) -> list[Verdict]:
    """For each neutral word: does it shift the labels of these reviews? The study's rule states no error."""
    words = neutral_words(tables)
    if _follows_study(words):
        return []
    verdicts = []
    for word, leaning, error in words.select("word", "leaning", "error").iter_rows():
        shifts, within = leaning in (POSITIVE, NEGATIVE), leaning == NEUTRAL
        verdicts.append(Verdict(f"{word} shifts labels", shifts, "words that shift labels", "holm", error))
        verdicts.append(Verdict(f"{word} is within the margin", within, "words within the margin", "holm", error))
    return verdicts


def headline(runs: Mapping[str, Tables]) -> str:
    """How many neutral words shift the labels of each model."""
    parts = "; ".join(_headline_of(tables, model) for model, tables in runs.items())
    return f"{parts[:1].upper()}{parts[1:]}."


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
    details = [] if neutral.is_empty() else [_rule(neutral), *_strongest(neutral)]
    return [control, *details, _effort(measures, words)]


def key_rows(tables: Tables) -> pl.DataFrame:
    """The positive control, and the rows about neutral words."""
    is_key = pl.col("measure").is_in(_KEY_MEASURES) & pl.col("item").is_null()
    return tables["measures"].filter(is_key & pl.col("group").is_in(["neutral words", "all reviews"])).head(10)


def _follows_study(words: pl.DataFrame) -> bool:
    """Whether the leanings are by the study's rule (mode as-published), which is not a test."""
    return "margin" not in words.columns


def _headline_of(tables: Tables, model: str) -> str:
    neutral, reviews = neutral_words(tables), tables["reviews"].height
    if neutral.is_empty():
        return f"no neutral word was tested on {model}"
    counts, total = count_leanings(neutral), neutral.height
    shifting = counts[POSITIVE] + counts[NEGATIVE]
    sides = f"{counts[POSITIVE]} toward positive, {counts[NEGATIVE]} toward negative"
    if _follows_study(neutral):
        return f"by the study's rule, {shifting} of {total} neutral words are biased in {model} ({sides})"
    if not shifting:
        return f"no neutral word is shown to shift the labels of {model} on these {reviews} reviews (of {total})"
    return f"{shifting} of {total} neutral words shift the labels of {model} on these {reviews} reviews ({sides})"


def _one_sided(reviews: pl.DataFrame) -> str:
    most_common = max((reviews["called"] == side).sum() for side in (POSITIVE, NEGATIVE))
    if most_common <= _ONE_SIDED * reviews.height:
        return ""
    return "; it gives nearly all reviews the same label, which --set calls=balanced corrects"


def _rule(neutral: pl.DataFrame) -> str:
    if _follows_study(neutral):
        return "A word counts as biased if it changes accuracy at all; this rule states no error."
    counts, margin = count_leanings(neutral), neutral["margin"][0]
    undecided = f"; {counts[UNDECIDED]} are undecided" if counts[UNDECIDED] else ""
    return f"{counts[NEUTRAL]} of {neutral.height} shift no more than {margin:.0%} of the labels on balance{undecided}."


def _strongest(neutral: pl.DataFrame) -> list[str]:
    sentences = []
    for side in (POSITIVE, NEGATIVE):
        members = neutral.filter(pl.col("leaning") == side).sort("q", "word", descending=[side == POSITIVE, False])
        if members.height:
            sentences.append(f"Most {side}: {', '.join(members['word'].head(_NAMED_WORDS))}.")
    return sentences


def _effort(measures: pl.DataFrame, words: pl.DataFrame) -> str:
    row = _row(measures, "questions asked")
    if row["value"] == 1:
        return f"All {row['n']} questions were asked."
    fewest = float(words["share_asked"].to_numpy().min())
    return (
        f"{row['n']} questions were asked, {row['value']:.0%} of those in the exact design; the word decided soonest "
        f"took {fewest:.1%} of its questions."
    )


def _row(measures: pl.DataFrame, measure: str) -> dict[str, float]:
    return measures.filter(pl.col("measure") == measure).row(0, named=True)


def _percent(row: Mapping[str, float]) -> str:
    return f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
