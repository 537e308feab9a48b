"""Charts of the association test: can the model tell reviews apart, and which neutral words lean?"""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import INK, NEGATIVE, NEUTRAL, POSITIVE, UNDECIDED, Figure
from tacit.methods.association.leanings import NOT_ZERO
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import neutral_words
from tacit.methods.sentiment.figures import describe_ranking, has_verdicts, model_pairs, panels, ranked_words
from tacit.methods.sentiment.source_figures import source_figures

__all__ = ["figures"]

_EFFECT_TITLE = "association (Cohen's d)"
_EXCERPT = 120


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The ranked words of each model, the sanity plot, what more reviews would find, and each pair of models."""
    has_sanity = not any(tables["reviews"]["leaning"].is_nan().any() for tables in runs.values())
    neutral = {model: neutral_words(tables) for model, tables in runs.items()}
    ranked = {model: words for model, words in neutral.items() if not words.is_empty()}
    score = "effect" if all("effect" in words.columns for words in neutral.values()) else "m"
    growth = {model: tables["growth"] for model, tables in runs.items() if "growth" in tables and has_verdicts(tables)}
    return [
        *([_words(ranked, score)] if ranked else []),
        *([_sanity(runs)] if has_sanity else []),
        *([_growth(growth)] if growth else []),
        *source_figures(runs, "reviews told apart", "association"),
        *model_pairs("association", score, runs),
    ]


def _sanity(runs: Mapping[str, Tables]) -> Figure:
    return Figure(
        "sanity",
        "Can the model tell positive from negative reviews?",
        panels({model: _sanity_panel(tables["reviews"]) for model, tables in runs.items()}),
        "Each point is a review: how much likelier positive words are at the blank than negative ones. In a model that "
        "senses sentiment, positive reviews lie above negative ones; only then do the leanings of words mean anything.",
        f"Sanity plot for {', '.join(runs)}. {_describe_sanity(runs)}",
    )


def _sanity_panel(reviews: pl.DataFrame) -> alt.LayerChart:
    shown = reviews.sort("leaning", descending=True).select(
        "review",
        "label",
        "leaning",
        place=pl.int_range(1, pl.len() + 1).over("label"),
        text=pl.col("text").str.slice(0, _EXCERPT),
    )
    colors = alt.Scale(domain=["positive", "negative"], range=[POSITIVE, NEGATIVE])
    points = (
        alt.Chart(shown)
        .mark_circle(size=18, opacity=0.85)
        .encode(
            x=alt.X("place:Q", title="reviews, from highest to lowest"),
            y=alt.Y("leaning:Q", title="positive − negative words", axis=alt.Axis(format="~g")),
            color=alt.Color("label:N", scale=colors, title="review"),
            tooltip=["review", "label", alt.Tooltip("leaning", format=".2e"), "text"],
        )
    )
    zero = alt.Chart(shown).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0))
    return alt.layer(zero, points).properties(width=300, height=200)


def _describe_sanity(runs: Mapping[str, Tables]) -> str:
    sentences = []
    for model, tables in runs.items():
        row = tables["measures"].filter(pl.col("measure") == "reviews told apart").row(0, named=True)
        sentences.append(f"In {row['value']:.0%} of pairs, {model} places the positive review above the negative one.")
    return " ".join(sentences)


def _growth(growth: Mapping[str, pl.DataFrame]) -> Figure:
    leans = _describe_growth(growth, ["positive", "negative"])
    return Figure(
        "growth",
        "Would more reviews find more leaning words?",
        panels({model: _growth_panel(table) for model, table in growth.items()}),
        "Verdicts from random subsamples of the reviews of this run. More reviews decide more words, but only words "
        "that differ by more than the margin lean: with any number of reviews, the share that leans should stay "
        "between the words that lean by now and those that are not within the margin. Words that lean, by the number "
        f"of reviews of each class: {leans}. The line shows the words that a p-value alone calls different from zero: "
        "without a margin, enough reviews find every word.",
        f"Shares of verdicts against the number of reviews of a class. Words that lean: {leans}. Words that differ "
        f"from zero: {_describe_growth(growth, [NOT_ZERO])}.",
    )


def _growth_panel(growth: pl.DataFrame) -> alt.LayerChart:
    order = ["positive", "negative", "undecided", "neutral"]
    colors = alt.Scale(domain=order, range=[POSITIVE, NEGATIVE, UNDECIDED, NEUTRAL])
    place = pl.col("leaning").replace_strict({side: i for i, side in enumerate(order)}, return_dtype=pl.Int64)
    verdicts = growth.filter(pl.col("leaning") != NOT_ZERO).with_columns(place=place)
    x = alt.X("reviews:O", title="reviews of each class", axis=alt.Axis(labelAngle=0))
    tooltip = ["reviews", "leaning", alt.Tooltip("share", format=".1%")]
    bars = (
        alt.Chart(verdicts)
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("share:Q", title="share of neutral words", axis=alt.Axis(format="%"), stack="zero"),
            color=alt.Color("leaning:N", scale=colors, title="verdict"),
            order="place:Q",
            tooltip=tooltip,
        )
    )
    line = alt.Chart(growth.filter(pl.col("leaning") == NOT_ZERO)).mark_line(color=INK, point={"color": INK})
    return alt.layer(bars, line.encode(x=x, y="share:Q", tooltip=tooltip)).properties(width=300, height=200)


def _describe_growth(growth: Mapping[str, pl.DataFrame], sides: list[str]) -> str:
    """The share of words with these leanings for each number of reviews: "modern: 2% with 15, 5% with 200"."""
    sentences = []
    for model, table in growth.items():
        shares = table.filter(pl.col("leaning").is_in(sides)).group_by("reviews").agg(pl.sum("share")).sort("reviews")
        listed = ", ".join(f"{share:.0%} with {reviews}" for reviews, share in shares.iter_rows())
        sentences.append(f"{model}: {listed}")
    return "; ".join(sentences)


def _words(neutral: Mapping[str, pl.DataFrame], score: str) -> Figure:
    if score == "m":
        finite = {model: words.filter(pl.col("m").is_finite()) for model, words in neutral.items()}
        return Figure(
            "words",
            "Neutral words that the study's rule calls biased",
            panels({model: ranked_words(words, "m", "m, the threshold reached") for model, words in finite.items()}),
            "The most positive, the most neutral and the most negative words. Color shows the study's rule at m = 0.5, "
            "which is not a test and states no error.",
            " ".join(f"{model}: {describe_ranking(words, 'm')}" for model, words in finite.items()),
        )
    return Figure(
        "words",
        "Neutral words that carry sentiment",
        panels({model: _ranked_effects(words) for model, words in neutral.items()}),
        "The most positive, the most neutral and the most negative words, with bootstrap intervals over reviews: how "
        "much likelier a word is after positive than after negative reviews (Cohen's d of its log-probability). Dotted "
        "lines are the margin. Color shows the verdict: leans, within the margin (neutral) or undecided, corrected for "
        "the number of words.",
        " ".join(f"{model}: {describe_ranking(words, 'effect')}" for model, words in neutral.items()),
    )


def _ranked_effects(words: pl.DataFrame) -> alt.LayerChart:
    return ranked_words(words, "effect", _EFFECT_TITLE, margin=words["margin"][0])
