"""Charts: a heatmap of all words, accuracy by intensity, and what context adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import INK, NEGATIVE, NEUTRAL, POSITIVE, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.contrast.filling_figures import filling_figures
from tacit.methods.contrast.materials import WITH, WITHOUT

__all__ = ["figures"]

_FORMATS = {"acc": ".0%", "MRR": ".3f", "diff": "+,.1f"}
_MIDDLE = "#f2f2f2"


def figures(tables: Mapping[str, Tables]) -> list[Figure]:
    """Accuracy by word, the heatmap, and (where items were asked without context) the gain from context.

    Args:
        tables: The tables of each model, by its label.
    """
    about = next(iter(tables.values()))["about"].row(0, named=True)
    words = _word_rows(tables)
    charts = [_accuracy_by_word(words, about), _heatmap(words, about)]
    if words["without"].is_not_null().any():
        charts.append(_context_arrows(words, about))
    return [*charts, *filling_figures(tables, about)]


def _word_rows(tables: Mapping[str, Tables]) -> pl.DataFrame:
    """One row per model and word: means and intervals with context, and accuracy without it."""
    parts = []
    for model, of_model in tables.items():
        means = of_model["words"].filter(pl.col("context") == WITH).with_columns(pl.lit(model).alias("model"))
        bare = of_model["words"].filter(pl.col("context") == WITHOUT).select("word", pl.col("acc").alias("without"))
        rows = of_model["measures"].filter(pl.col("item").is_null())
        bounds = [
            rows.filter(pl.col("measure") == measure).select(
                pl.col("group").alias("word"),
                pl.col("low").alias(f"{measure}_low"),
                pl.col("high").alias(f"{measure}_high"),
            )
            for measure in _FORMATS
        ]
        for table in (bare, *bounds):
            means = means.join(table, on="word", how="left", maintain_order="left")
        parts.append(means)
    return pl.concat(parts).with_columns(
        *(_interval_text(measure).alias(f"{measure}_text") for measure in _FORMATS),
    )


def _interval_text(measure: str) -> pl.Expr:
    digits = {"acc": 2, "MRR": 3, "diff": 1}[measure]
    bounds = pl.format("{} [{}, {}]", *(pl.col(f"{measure}{end}").round(digits) for end in ("", "_low", "_high")))
    return pl.when(pl.col(f"{measure}_low").is_not_null()).then(bounds)


def _tooltip(noun: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("model:N"),
        alt.Tooltip("word:N", title=noun),
        alt.Tooltip("category:N"),
        alt.Tooltip("acc_text:N", title="acc [interval]"),
        alt.Tooltip("without:Q", title="acc without context", format=".2f"),
        alt.Tooltip("MRR_text:N", title="MRR [interval]"),
        alt.Tooltip("diff_text:N", title="diff [interval]"),
        alt.Tooltip("items:Q", title="sentences"),
        alt.Tooltip("tie_items:Q", title="ties"),
        alt.Tooltip("several_items:Q", title="with several tokens"),
        alt.Tooltip("frequency:Q", title="Zipf frequency", format=".2f"),
    ]


def _heatmap(words: pl.DataFrame, about: dict[str, Any]) -> Figure:
    titles = {
        "acc": f"ranks above {about['against']} (acc)",
        "MRR": "mean of 1/rank (MRR)",
        "diff": "ranks behind (diff)",
    }
    panels = [_measure_column(words, measure, title, about) for measure, title in titles.items()]
    return Figure(
        name="contrast-heatmap",
        title=f"Each {about['noun']} against {about['against']} in numbers",
        chart=alt.hconcat(*panels).resolve_scale(color="independent"),
        caption=(
            f"One row per {about['noun']}, in the order of the materials within each category. acc is the share of "
            f"sentences in which the {about['noun']} ranks above {about['against']} (green above 50%, red below); "
            "MRR is the mean of 1/rank; diff is how many ranks the rival is ahead on average, red where it is. Hover "
            "for intervals."
        ),
        alt=_text_alternative(words, about),
    )


def _measure_column(words: pl.DataFrame, measure: str, title: str, about: dict[str, Any]) -> alt.VConcatChart:
    """The heatmap of one measure: one block per category, one row per word, one column per model."""
    color = alt.Color(f"{measure}:Q", scale=_color_scale(words, measure), legend=None)
    blocks = [_block(part, measure, color, about) for part in _by_category(words)]
    return alt.vconcat(*blocks, spacing=6, title=title).resolve_scale(color="shared")


def _block(words: pl.DataFrame, measure: str, color: alt.Color, about: dict[str, Any]) -> alt.LayerChart:
    models = _unique(words, "model")
    x = alt.X("model:N", sort=models, title=None, axis=alt.Axis(labelAngle=-30, labelLimit=150, ticks=False))
    y = alt.Y("word:N", sort=_unique(words, "word"), title=words["category"][0], axis=alt.Axis(ticks=False))
    base = alt.Chart(words.filter(pl.col(measure).is_not_null())).encode(x, y, tooltip=_tooltip(about["noun"]))
    ink = alt.condition(_is_dark(measure), alt.value("white"), alt.value("black"))
    number = base.mark_text(fontSize=10).encode(alt.Text(f"{measure}:Q", format=_FORMATS[measure]), color=ink)
    cells = base.mark_rect().encode(color)
    size = {"width": max(70, 62 * len(models)), "height": 17 * words["word"].n_unique()}
    return alt.layer(cells, number).properties(**size)


def _color_scale(words: pl.DataFrame, measure: str) -> alt.Scale:
    if measure == "acc":
        return alt.Scale(domain=[0, 0.5, 1], range=[NEGATIVE, _MIDDLE, POSITIVE])
    if measure == "MRR":
        return alt.Scale(domain=[0, 1], range=[_MIDDLE, POSITIVE])
    farthest = max(1.0, *(abs(value) for value in words[measure].drop_nulls().to_list()), 1.0)
    return alt.Scale(type="symlog", domain=[-farthest, 0, farthest], range=[POSITIVE, _MIDDLE, NEGATIVE])


def _is_dark(measure: str) -> str:
    return {"acc": "abs(datum.acc - 0.5) > 0.3", "MRR": "datum.MRR > 0.6", "diff": "false"}[measure]


def _accuracy_by_word(words: pl.DataFrame, about: dict[str, Any]) -> Figure:
    graded = words["intensity"].is_not_null().all()
    order = f"{about['noun']}s from the weakest to the strongest" if graded else f"{about['noun']}s"
    panels = [_accuracy_panel(part, about, order) for part in _by_category(words)]
    return Figure(
        name="contrast-intensity",
        title=f"Accuracy by intensity of the {about['noun']}" if graded else f"Accuracy of each {about['noun']}",
        chart=alt.hconcat(*panels).resolve_scale(y="shared"),
        caption=(
            f"Share of sentences in which the {about['noun']} ranks above {about['against']}, {order} within each "
            "category. Bars are confidence intervals over sentences; the dashed line (50%) means no preference."
        ),
        alt=_text_alternative(words, about),
    )


def _accuracy_panel(words: pl.DataFrame, about: dict[str, Any], order: str) -> alt.LayerChart:
    models = _unique(words, "model")
    x = alt.X("word:N", sort=_unique(words, "word"), title=order, axis=alt.Axis(labelAngle=-40))
    offset = alt.XOffset("model:N", sort=models)
    y = alt.Y(
        "acc:Q", title=f"ranks above {about['against']}", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")
    )
    base = alt.Chart(words.filter(pl.col("acc").is_not_null()))
    return alt.layer(
        alt.Chart(pl.DataFrame({"acc": [0.5]})).mark_rule(strokeDash=[4, 3], color=NEUTRAL).encode(alt.Y("acc:Q")),
        base.mark_rule(strokeWidth=2).encode(x, offset, _model_color(models), y=alt.Y("acc_low:Q"), y2="acc_high:Q"),
        base.mark_circle(size=48, opacity=1).encode(
            x, y, offset, _model_color(models), tooltip=_tooltip(about["noun"])
        ),
    ).properties(title=words["category"][0], width=max(160, 18 * len(models) * words["word"].n_unique()), height=260)


def _context_arrows(words: pl.DataFrame, about: dict[str, Any]) -> Figure:
    both = words.filter(pl.col("acc").is_not_null() & pl.col("without").is_not_null())
    panels = [_arrow_panel(part, about) for part in _by_category(both)]
    return Figure(
        name="contrast-context",
        title="What context adds",
        chart=alt.hconcat(*panels).resolve_scale(x="shared"),
        caption=(
            "Each arrow goes from the accuracy without context (ring) to the accuracy with it (tip). A word without "
            "an arrow has the same accuracy with and without context."
        ),
        alt=_text_alternative(words, about, context=True),
    )


def _arrow_panel(words: pl.DataFrame, about: dict[str, Any]) -> alt.LayerChart:
    models = _unique(words, "model")
    y = alt.Y("word:N", sort=_unique(words, "word"), title=None, axis=alt.Axis(domain=False, ticks=False, grid=True))
    offset = alt.YOffset("model:N", sort=models)
    axis = alt.Axis(format="%", tickCount=5)
    start = alt.X("without:Q", title="accuracy", scale=alt.Scale(domain=[0, 1]), axis=axis)
    base = alt.Chart(words).encode(y, offset, _model_color(models), tooltip=_tooltip(about["noun"]))
    moved = base.transform_filter("datum.acc != datum.without")
    tips = moved.transform_calculate(angle="datum.acc > datum.without ? 90 : 270")
    return alt.layer(
        alt.Chart(pl.DataFrame({"without": [0.5]}))
        .mark_rule(strokeDash=[4, 3], color=INK, opacity=0.4)
        .encode(alt.X("without:Q")),
        base.mark_point(size=28, filled=False, strokeWidth=1.5).encode(start),
        moved.mark_rule(strokeWidth=1.8).encode(start, x2="acc:Q"),
        tips.mark_point(shape="triangle", size=55, filled=True, opacity=1).encode(
            alt.X("acc:Q"), angle=alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360]), legend=None)
        ),
    ).properties(title=words["category"][0], width=190, height=max(16, 13 * len(models)) * words["word"].n_unique())


def _model_color(models: list[str]) -> alt.Color:
    legend = alt.Legend(title=None, orient="top") if len(models) > 1 else None
    return alt.Color("model:N", scale=model_scale(models), legend=legend)


def _by_category(words: pl.DataFrame) -> list[pl.DataFrame]:
    return words.partition_by("category", maintain_order=True)


def _unique(words: pl.DataFrame, column: str) -> list[str]:
    return [str(value) for value in words[column].unique(maintain_order=True)]


def _text_alternative(words: pl.DataFrame, about: dict[str, Any], *, context: bool = False) -> str:
    sentences = []
    for part in words.filter(pl.col("acc").is_not_null()).partition_by("model", maintain_order=True):
        ranked = part.sort("acc", descending=True)
        best, worst = ranked.row(0, named=True), ranked.row(-1, named=True)
        gaining = int((part["acc"] > part["without"]).sum()) if context else 0
        gains = f"; {gaining} of {part.height} are higher with context than without" if context else ""
        ends = (f"{end['word']} at {end['acc']:.0%}" for end in (best, worst))
        sentences.append(f"{best['model']}: highest {', lowest '.join(ends)}{gains}")
    return f"Accuracy of each {about['noun']} against {about['against']}. {'. '.join(sentences)}."
