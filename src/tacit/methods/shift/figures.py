"""Charts of the shift test: which neutral words turn labels, what it took to know, and both tests side by side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import altair as alt
import polars as pl

from tacit.figure import Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import between_tests
from tacit.methods.sentiment.ranked_words import leaning_colour, ranked, read_aloud, scatter
from tacit.methods.sentiment.word_pairs import neutral_words, pair, rank_words, share_words
from tacit.storage import slug

__all__ = ["figures", "figures_beside"]


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The ranked words of each model, what each word took to decide, and each pair of models against each other."""
    drawn = [
        _words(model, neutral_words(tables)) for model, tables in runs.items() if not neutral_words(tables).is_empty()
    ]
    if any((tables["words"]["share_asked"] < 1).any() for tables in runs.values()):
        drawn.append(_effort(runs))
    return drawn + [pair("shift", first, second, runs) for first, second in combinations(runs, 2)]


def figures_beside(association: Mapping[str, Tables], shift: Mapping[str, Tables]) -> list[Figure]:
    """Association against shift, for each model that has run both tests."""
    return [_both(model, association[model], shift[model]) for model in shift if model in association]


def _words(model: str, neutral: pl.DataFrame) -> Figure:
    return Figure(
        f"words-{slug(model)}",
        f"Neutral words that turn labels: {model}",
        ranked(neutral, "q", "q (from shares of reviews)"),
        "The most positive, the most neutral and the most negative words. Lines are the intervals for q from what was "
        "asked: in the sequential design they hold for all words at once, whenever the asking stopped; in the exact "
        "design they are bootstrap intervals over reviews.",
        f"Ranked neutral words of {model} by q. {read_aloud(neutral, 'q')}",
    )


def _effort(runs: Mapping[str, Tables]) -> Figure:
    shown = pl.concat(
        tables["words"].select("word", "leaning", "net_shift", "asked", "share_asked", model=pl.lit(model))
        for model, tables in runs.items()
    )
    chart = (
        alt.Chart(shown)
        .mark_circle(size=30, opacity=0.65)
        .encode(
            x=alt.X("net_shift:Q", title="net shift of labels", axis=alt.Axis(format="%")),
            y=alt.Y("share_asked:Q", title="share of the questions asked", axis=alt.Axis(format="%")),
            color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
            tooltip=[
                "model",
                "word",
                "leaning",
                "asked",
                *(alt.Tooltip(n, format=".1%") for n in ("net_shift", "share_asked")),
            ],
        )
        .properties(width=420, height=240)
    )
    least = ", ".join(
        f"{model} {float(tables['words']['share_asked'].to_numpy().mean()):.0%}" for model, tables in runs.items()
    )
    return Figure(
        "effort",
        "What it took to decide each word",
        chart,
        "Each point is a word. Words that clearly lean are decided after few questions; those near the margin need the "
        f"most. Mean share of the questions asked: {least}.",
        f"Scatter of net shift against the share of questions asked. Mean share: {least}.",
    )


def _both(model: str, association: Tables, shift: Tables) -> Figure:
    points = (
        neutral_words(association)
        .select("word", association_says="leaning", x="effect")
        .join(neutral_words(shift).select("word", "leaning", y="q"), on="word", maintain_order="left")
    )
    said = " ".join(
        f"Of {row['association']} words that association finds {row['side']}, shift finds "
        f"{share_words(row['association_in_shift'])}; association finds {share_words(row['top'])} of shift's strongest "
        f"and {share_words(row['bottom'])} of its weakest."
        for row in between_tests(association, shift).to_dicts()
    )
    rank = rank_words(("association", association), ("shift", shift))
    titles = ("association (Cohen's d)", "shift (q)")
    return Figure(
        f"tests-{slug(model)}",
        f"Do the two tests agree? {model}",
        scatter(points, titles, ["word", "association_says", "leaning"], leaning_colour(points, "shift says")),
        f"Each point is a neutral word, by both tests. {rank}{said}",
        f"Scatter of {points.height} neutral words of {model}, association against shift. {rank}{said}",
    )


def _shares(*names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(name, format=".1%") for name in names]
