"""Charts of the shift test: which neutral words shift labels, what it took to decide, and both tests side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, POSITIVE, UNDECIDED, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import between_tests, neutral_words
from tacit.methods.sentiment.figures import (
    describe_agreement,
    describe_ranking,
    leaning_color,
    model_pairs,
    pair_words,
    panels,
    percent,
    ranked_words,
    scatter,
)
from tacit.methods.sentiment.measures import follows_study
from tacit.methods.sentiment.source_figures import source_figures
from tacit.methods.shift.formulas import PUBLISHED_REVIEWS, largest_q
from tacit.storage import slug

__all__ = ["figures", "figures_beside"]


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The ranked words of each model, what each took to decide, the study's counts by K, and each pair of models."""
    neutral = {model: neutral_words(tables) for model, tables in runs.items()}
    ranked = {model: runs[model] for model, words in neutral.items() if not words.is_empty()}
    stopped_early = any((tables["words"]["share_asked"] < 1).any() for tables in runs.values())
    return [
        *([_words(ranked)] if ranked else []),
        *([_effort(runs)] if stopped_early else []),
        *([_by_repeat(runs)] if any(_neutral_by_k(tables).height > 1 for tables in runs.values()) else []),
        *source_figures(runs, "balanced accuracy before", "net shift"),
        *model_pairs("shift", "q", runs),
    ]


def figures_beside(association: Mapping[str, Tables], shift: Mapping[str, Tables]) -> list[Figure]:
    """A scatter of association against shift for each model that has run both tests."""
    return [_both_tests(model, association[model], shift[model]) for model in shift if model in association]


def _words(runs: Mapping[str, Tables]) -> Figure:
    words = {model: _scored(tables) for model, tables in runs.items()}
    first = next(iter(words.values()))
    column = "q_published" if follows_study(first) else "net_shift"
    return Figure(
        "words",
        "Neutral words that shift labels",
        panels({model: _ranked(table) for model, table in words.items()}),
        f"The most positive, the most neutral and the most negative words. Lines are intervals over reviews"
        f"{_which_intervals(first)}. Color shows {_which_rule(first)}.",
        " ".join(f"{model}: {describe_ranking(table, column)}" for model, table in words.items()),
    )


def _scored(tables: Tables) -> pl.DataFrame:
    """The neutral words with their intervals on the scale of the net shift, or on that of the study."""
    words = neutral_words(tables)
    if follows_study(words):
        return words.with_columns(pl.col("low", "high") * PUBLISHED_REVIEWS)
    return words.with_columns(pl.col("low", "high") / largest_q(tables["repeats"]["k"].unique().to_list()))


def _ranked(words: pl.DataFrame) -> alt.LayerChart:
    if follows_study(words):
        return ranked_words(words, "q_published", "q × 2,000, the study's scale")
    return ranked_words(words, "net_shift", "net share of labels shifted", margin=words["margin"][0])


def _which_intervals(words: pl.DataFrame) -> str:
    stopped_early = (words["share_asked"] < 1).any()
    return ", which hold for all words at once whenever asking stopped" if stopped_early else ", for each word alone"


def _which_rule(words: pl.DataFrame) -> str:
    if follows_study(words):
        return "the sign of q, which is not a test and states no error"
    return "the verdict, corrected for all words: shifts labels, within the margin (dotted; neutral) or undecided"


def _effort(runs: Mapping[str, Tables]) -> Figure:
    shown = pl.concat(
        tables["words"].select("word", "leaning", "net_shift", "asked", model=pl.lit(model))
        for model, tables in runs.items()
    )
    chart = (
        alt.Chart(shown)
        .mark_circle(size=30, opacity=0.65)
        .encode(
            x=alt.X("net_shift:Q", title="net shift of labels", axis=alt.Axis(format="%")),
            y=alt.Y("asked:Q", title="reviews asked"),
            color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
            tooltip=["model", "word", "leaning", "asked", alt.Tooltip("net_shift", format=".1%")],
        )
        .properties(width=420, height=240)
    )
    means = ", ".join(f"{model} {tables['words']['asked'].to_numpy().mean():.0f}" for model, tables in runs.items())
    return Figure(
        "effort",
        "What it took to decide each word",
        chart,
        "Each point is a word. Words that clearly shift labels are decided after few reviews; undecided ones were "
        f"asked about all. Mean number of reviews asked: {means}.",
        f"Scatter of net shift against the number of reviews asked. Mean number: {means}.",
    )


def _neutral_by_k(tables: Tables) -> pl.DataFrame:
    by_k = tables.get("by_k")
    return pl.DataFrame() if by_k is None else by_k.filter(pl.col("polarity") == "neutral")


def _by_repeat(runs: Mapping[str, Tables]) -> Figure:
    """The study's Table 2 as a figure: how many words shift labels each way, for each K."""
    charts, described = {}, []
    for model, tables in runs.items():
        by_k = _neutral_by_k(tables)
        if by_k.is_empty():
            continue
        charts[model] = _repeat_panel(by_k)
        same = ", ".join(f"{row['same_way']:.1%} with K = {row['k']}" for row in by_k.iter_rows(named=True))
        described.append(f"{model}: {same}")
    both = "; ".join(described)
    return Figure(
        "by-k",
        "Does the number of copies matter?",
        panels(charts),
        "Neutral words counted by the sign of what they change, as in the study (Table 2) and without a test, with "
        "intervals. Words that lower both accuracies, or raise both, favor neither side; the study calls them truly "
        f"neutral and finds 2.25% of them in RoBERTa-large. Here: {both}.",
        f"Shares of neutral words by K and direction. Both accuracies the same way: {both}.",
    )


def _repeat_panel(by_k: pl.DataFrame) -> alt.LayerChart:
    sides = {"positive": "labels to positive", "negative": "labels to negative", "same_way": "both accuracies alike"}
    rows = [
        {"k": row["k"], "direction": name, "share": row[side], "low": row[f"{side}_low"], "high": row[f"{side}_high"]}
        for row in by_k.iter_rows(named=True)
        for side, name in sides.items()
    ]
    colors = alt.Scale(domain=[*sides.values()], range=[POSITIVE, NEGATIVE, UNDECIDED])
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("k:O", title="K, copies of the word", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("direction:N", sort=[*sides.values()]),
        color=alt.Color("direction:N", scale=colors, title="words that move"),
        tooltip=["k", "direction", *(alt.Tooltip(name, format=".1%") for name in ("share", "low", "high"))],
    )
    y = alt.Y("share:Q", title="share of neutral words", axis=alt.Axis(format="%"))
    points = base.mark_circle(size=55, opacity=1).encode(y=y)
    rules = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q"), y2="high:Q")
    return alt.layer(rules, points).properties(width=300, height=200)


def _both_tests(model: str, association: Tables, shift: Tables) -> Figure:
    score = "effect" if "effect" in association["words"].columns else "m"
    title = "association (Cohen's d)" if score == "effect" else "association (m)"
    left = neutral_words(association).select("word", by_association="leaning", x=score)
    right = neutral_words(shift).select("word", "leaning", y="q")
    points = pair_words(left, right)
    overlaps = [_overlap(row) for row in between_tests(association, shift).to_dicts()]
    agreement = f"{describe_agreement(points)}{' '.join(overlaps)}"
    color = leaning_color("by shift")
    return Figure(
        f"tests-{slug(model)}",
        f"Do the two tests agree? {model}",
        scatter(points, title, "shift (q)", tooltip=["word", "by_association", "leaning"], color=color),
        f"Each point is a neutral word, scored by both tests. {agreement}",
        f"Scatter of {points.height} neutral words of {model}, association against shift. {agreement}",
    )


def _overlap(row: Mapping[str, Any]) -> str:
    """How far the two tests find the same words of one side."""
    side, found, shifting = row["side"], row["association"], row["shift"]
    if not found:
        return f"Association finds no {side} word, shift {shifting}."
    shared = f"Shift finds {percent(row['association_in_shift'])} of the {found} words that association finds {side}"
    if row["top"] is None:
        return f"{shared}."
    return (
        f"{shared}; association finds {percent(row['top'])} of shift's strongest and {percent(row['bottom'])} of its "
        "weakest."
    )
