"""Charts of the wording method: the wordings as a heat map, what words do in each, and where the variance lies."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, NEUTRAL, POSITIVE, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.sentiment.figures import panels

__all__ = ["figures"]

_SHOWN_WORDS = 24


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The share of leaning words and the accuracy in each wording, single words in each, and the variance shares."""
    return [
        _heat_map(
            runs,
            "wordings",
            "In which wordings do words shift labels?",
            "leaning_share",
            "Share of neutral words shown to shift labels. An empty cell: the model labels no better than a coin.",
        ),
        _heat_map(
            runs,
            "accuracy",
            "How well does each wording label reviews?",
            "accuracy",
            "Share of reviews labeled correctly, both classes counting alike; 50% is chance.",
        ),
        _words(runs),
        _variance(runs),
    ]


def _heat_map(runs: Mapping[str, Tables], name: str, title: str, column: str, caption: str) -> Figure:
    charts = {model: _cells(tables["wordings"], column) for model, tables in runs.items()}
    described = [_describe_cells(model, tables["wordings"], column) for model, tables in runs.items()]
    return Figure(name, title, panels(charts, columns=2), caption, f"{caption} {' '.join(described)}")


def _cells(wordings: pl.DataFrame, column: str) -> alt.LayerChart:
    order = {name: wordings[name].unique(maintain_order=True).to_list() for name in ("prompt", "labels")}
    base = alt.Chart(wordings).encode(
        x=alt.X("labels:N", sort=order["labels"], title="label words", axis=alt.Axis(labelAngle=-40)),
        y=alt.Y("prompt:N", sort=order["prompt"], title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["prompt", "labels", "control", *(alt.Tooltip(n, format=".1%") for n in ("accuracy", "leaning_share"))],
    )
    largest = wordings[column].max()
    domain = [0.5, 1.0] if column == "accuracy" else [0.0, max(0.05, float(largest or 0.0))]  # type: ignore[arg-type]
    scale = alt.Scale(domain=domain, range=["#e8f1f0", POSITIVE], clamp=True)
    color = alt.Color(f"{column}:Q", scale=scale, title=None, legend=alt.Legend(format="%"))
    text = base.mark_text(fontSize=10, color="#222222").encode(text=alt.Text(f"{column}:Q", format=".0%"))
    text = text.transform_filter(f"isValid(datum.{column})")
    size = {"width": 34 * len(order["labels"]), "height": 24 * len(order["prompt"])}
    return alt.layer(base.mark_rect().encode(color=color), text).properties(**size)


def _describe_cells(model: str, wordings: pl.DataFrame, column: str) -> str:
    cells = wordings.drop_nulls(column).select("prompt", "labels", column).iter_rows()
    return f"{model}: " + "; ".join(f"{prompt} {labels} {value:.0%}" for prompt, labels, value in cells) + "."


def _words(runs: Mapping[str, Tables]) -> Figure:
    named = {model: _most_dependent(tables["words"]) for model, tables in runs.items()}
    charts = {model: _word_panel(tables["scores"], named[model]) for model, tables in runs.items()}
    described = " ".join(f"{model}: {', '.join(words)}." for model, words in named.items())
    return Figure(
        "words",
        "What words do in each wording",
        panels(charts, columns=1),
        f"Net share of labels that a word shifts in each wording, for the {_SHOWN_WORDS} words whose shifts differ "
        "most between wordings, in the wordings in which the model labels better than a coin. A row of one color: the "
        "wording does not matter. Numbers are for these reviews; the verdicts are in the table of words.",
        f"Heat map of words by wordings. The words that differ most: {described}",
    )


def _most_dependent(words: pl.DataFrame) -> list[str]:
    return words.sort(pl.col("most") - pl.col("least"), descending=True).head(_SHOWN_WORDS)["word"].to_list()


def _word_panel(scores: pl.DataFrame, words: list[str]) -> alt.Chart:
    shown = scores.filter(pl.col("word").is_in(words) & pl.col("leaning").is_not_null()).with_columns(
        wording=pl.concat_str("prompt", "labels", separator=" ")
    )
    order = shown["wording"].unique(maintain_order=True).to_list()
    largest = max(0.05, float(shown["net_shift"].abs().max() or 0.0))  # type: ignore[arg-type]
    scale = alt.Scale(domain=[-largest, 0, largest], range=[NEGATIVE, "#f2f2f2", POSITIVE])
    return (
        alt.Chart(shown)
        .mark_rect()
        .encode(
            x=alt.X("wording:N", sort=order, title=None, axis=alt.Axis(labelAngle=-60, labelLimit=260)),
            y=alt.Y("word:N", sort=words, title=None),
            color=alt.Color("net_shift:Q", scale=scale, title="net shift", legend=alt.Legend(format="%")),
            tooltip=["word", "prompt", "labels", "leaning", alt.Tooltip("net_shift", format=".1%")],
        )
        .properties(width=16 * len(order), height=15 * len(words))
    )


def _variance(runs: Mapping[str, Tables]) -> Figure:
    rows = pl.concat(
        tables["measures"]
        .filter(pl.col("measure").str.starts_with("variance share"))
        .select(
            "group", "value", "low", "high", test=pl.col("measure").str.split(" of ").list.last(), model=pl.lit(model)
        )
        for model, tables in runs.items()
    )
    base = alt.Chart(rows).encode(
        y=alt.Y("group:N", sort=None, title=None, axis=alt.Axis(labelLimit=220)),
        yOffset=alt.YOffset("model:N"),
        color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
        tooltip=["model", "test", "group", *(alt.Tooltip(name, format=".1%") for name in ("value", "low", "high"))],
    )
    title = "share of the variance of the words' scores"
    points = base.mark_circle(size=55, opacity=1).encode(x=alt.X("value:Q", title=title, axis=alt.Axis(format="%")))
    rules = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q")
    zero = alt.Chart(rows).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0))
    chart = alt.layer(zero, rules, points).properties(width=320).facet(row=alt.Row("test:N", title=None))
    listed = "; ".join(
        f"{row['model']}, {row['test']}, {row['group']} {row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
        for row in rows.iter_rows(named=True)
    )
    return Figure(
        "variance",
        "What do the scores depend on?",
        chart,
        "How much of the variance of the words' scores lies in the words themselves, in the prompt and in the label "
        "words, with intervals over words and reviews. The noise of the reviews is taken out, so a part that is "
        "nothing but noise can come out below zero. The association test has no label words.",
        f"Variance shares: {listed}.",
    )
