"""Charts of the association test: does the model tell reviews apart, and which neutral words lean?"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, NEUTRAL, POSITIVE, Figure
from tacit.methods.base import Tables
from tacit.methods.sentiment.ranked_words import ranked, read_aloud
from tacit.methods.sentiment.word_pairs import neutral_words, pair
from tacit.storage import slug

__all__ = ["figures"]

_EFFECT = "association (Cohen's d of the log-probability, praise − blame)"


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The sanity plot, the ranked words of each model, and each pair of models against each other."""
    drawn = [] if _has_no_sanity(runs) else [_sanity(runs)]
    drawn += [
        _words(model, neutral_words(tables)) for model, tables in runs.items() if not neutral_words(tables).is_empty()
    ]
    return drawn + [pair("association", first, second, runs) for first, second in combinations(runs, 2)]


def _sanity(runs: Mapping[str, Tables]) -> Figure:
    panels = [_sanity_panel(model, tables["reviews"]) for model, tables in runs.items()]
    return Figure(
        "sanity",
        "Does the model tell praise from blame?",
        alt.concat(*panels, columns=2),
        "Each point is a review: how much likelier the positive words are at the blank than the negative ones. A model "
        "that senses sentiment has the positive reviews above the negative ones; only of such a model do the leanings "
        "below mean something.",
        f"Sanity plot for {', '.join(runs)}. {_sanity_alt(runs)}",
    )


def _sanity_panel(model: str, reviews: pl.DataFrame) -> alt.LayerChart:
    shown = reviews.sort("leaning", descending=True).select(
        "review",
        "label",
        "leaning",
        place=pl.int_range(1, pl.len() + 1).over("label"),
        text=pl.col("text").str.slice(0, 120),
    )
    colours = alt.Scale(domain=["positive", "negative"], range=[POSITIVE, NEGATIVE])
    points = (
        alt.Chart(shown)
        .mark_circle(size=18, opacity=0.85)
        .encode(
            x=alt.X("place:Q", title="reviews, in falling order"),
            y=alt.Y("leaning:Q", title="P(positive) − P(negative words)", axis=alt.Axis(format=".1e")),
            color=alt.Color("label:N", scale=colours, title="review"),
            tooltip=["review", "label", alt.Tooltip("leaning", format=".2e"), "text"],
        )
    )
    zero = alt.Chart(shown).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0))
    return alt.layer(zero, points).properties(width=300, height=200, title=model)


def _sanity_alt(runs: Mapping[str, Tables]) -> str:
    said = []
    for model, tables in runs.items():
        row = tables["measures"].filter(pl.col("measure") == "reviews told apart").row(0, named=True)
        said.append(f"In {row['value']:.0%} of pairs {model} puts the positive review above the negative one.")
    return " ".join(said)


def _words(model: str, neutral: pl.DataFrame) -> Figure:
    return Figure(
        f"words-{slug(model)}",
        f"Neutral words that keep company with praise or blame: {model}",
        ranked(neutral, "effect", _EFFECT),
        "The most positive, the most neutral and the most negative words with their bootstrap intervals over reviews. "
        "Colour says whether a word leans after correction for the number of words.",
        f"Ranked neutral words of {model}. {read_aloud(neutral, 'effect')}",
    )


def _has_no_sanity(runs: Mapping[str, Tables]) -> bool:
    return any(tables["reviews"]["leaning"].is_nan().any() for tables in runs.values())
