"""Figures 1 and 2 of the temporal valence study: the distribution of beta and delta, one panel per group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import NEUTRAL, Figure, model_scale
from tacit.methods.base import Tables

__all__ = ["figures"]

_SLOTS = 7  # the points of a group are spread over this many columns, so that they do not hide each other
_INK = "#5b5b5b"  # dark enough on white, light enough on black
_TOOLTIP = [
    alt.Tooltip("text:N", title="sentence"),
    alt.Tooltip("fillings:N", title="fillings (score)"),
    alt.Tooltip("original:N", title="original word"),
    alt.Tooltip("rho:Q", title="rho"),
    alt.Tooltip("beta:Q", title="beta", format=".3f"),
    alt.Tooltip("delta:Q", title="delta", format=".3f"),
    alt.Tooltip("bounds:N", title="possible range of beta"),
    alt.Tooltip("rated:Q", title="rated share", format=".0%"),
    alt.Tooltip("status:N", title="counted"),
]
_LEGEND = (
    "Each point is a sentence (hover for its fillings). Boxes show the middle half of the sentences; gray bars show "
    "the mean with its interval over sentences, raters and whatever unrated fillings could score. Hollow points have "
    "too few rated fillings to be counted."
)


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The distribution of beta (Figure 1 of the study) and of delta (Figure 2), for the tables of each model."""
    scale = next(iter(runs.values()))["scale"].row(0, named=True)
    poles = f"{scale['least']:g} = {scale['low']}, {scale['greatest']:g} = {scale['high']}"
    middle = (scale["least"] + scale["greatest"]) / 2
    return [
        Figure(
            name="valence-beta",
            title="What the words score, sentence by sentence (beta)",
            chart=_panels(runs, "beta", [scale["least"], scale["greatest"]], middle),
            caption=f"Beta: {poles}; the dashed line at {middle:g} marks no leaning. {_LEGEND}",
            alt=_describe(runs, "beta"),
        ),
        Figure(
            name="valence-delta",
            title="How well the words fit the sentences (delta)",
            chart=_panels(runs, "delta", [0, 1], None),
            caption="Delta: 1 = beta equals the score of the sentence itself, 0 = it is at the opposite end of the "
            f"scale. {_LEGEND} Compare models within a panel, not panels with each other: a sentence in the middle of "
            "the scale cannot score below 0.5.",
            alt=_describe(runs, "delta"),
        ),
    ]


def _panels(runs: Mapping[str, Tables], measure: str, domain: list[float], neutral: float | None) -> alt.HConcatChart:
    points, means = _points(runs), _means(runs, measure)
    panels = []
    for group in points["group"].unique(maintain_order=True).to_list():
        in_group = pl.col("group") == group
        panel = _panel(points.filter(in_group), means.filter(in_group), measure, domain, neutral)
        panels.append(panel.properties(width=max(110, 75 * len(runs)), height=280, title=group))
    return alt.hconcat(*panels).resolve_scale(y="shared")


def _panel(
    points: pl.DataFrame, means: pl.DataFrame, measure: str, domain: list[float], neutral: float | None
) -> alt.LayerChart:
    models = points["model"].unique(maintain_order=True).to_list()
    band = alt.Scale(paddingInner=0.25, paddingOuter=0.15)
    x = alt.X("model:N", sort=models, title=None, scale=band, axis=alt.Axis(labelAngle=-30, labelLimit=160))
    y = alt.Y(f"{measure}:Q", title=measure, scale=alt.Scale(domain=domain, nice=False))
    color = alt.Color("model:N", scale=model_scale(models), legend=None)
    box = alt.Chart(points.filter("counted")).mark_boxplot(size=34, opacity=0.35, outliers=False).encode(x, y, color)
    dots = (
        alt.Chart(points)
        .mark_point(size=38, strokeWidth=1.4)
        .encode(x, y, color, alt.Fill("model:N", scale=model_scale(models), legend=None), alt.XOffset("slot:O"))
        .encode(fillOpacity=alt.condition(alt.datum.counted, alt.value(0.8), alt.value(0)), tooltip=_TOOLTIP)
    )
    interval = alt.Chart(means).encode(x).mark_rule(strokeWidth=3, color=_INK).encode(y="low:Q", y2="high:Q")
    tick = alt.Chart(means).encode(x).mark_tick(thickness=3, size=26, color=_INK)
    mean = tick.encode(y="value:Q", tooltip=_mean_tooltip())
    neutral_line = [] if neutral is None else [_line(neutral)]
    return alt.layer(*neutral_line, box, dots, interval, mean)


def _line(value: float) -> alt.Chart:
    return alt.Chart(pl.DataFrame({"at": [value]})).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y="at:Q")


def _mean_tooltip() -> list[alt.Tooltip]:
    titles = {"value": "mean", "low": "from", "high": "to"}
    return ["model:N", *(alt.Tooltip(f"{name}:Q", title=title, format=".3f") for name, title in titles.items()), "n:Q"]


def _points(runs: Mapping[str, Tables]) -> pl.DataFrame:
    """All sentences of all models, with what the tooltips show."""
    return pl.concat(
        [
            tables["sentences"].with_columns(
                model=pl.lit(model),
                slot=pl.int_range(pl.len()).over("group") % _SLOTS,
                bounds=pl.format("{} to {}", pl.col("beta_low").round(2), pl.col("beta_high").round(2)),
                status=pl.when("counted").then(pl.lit("yes")).otherwise(pl.lit("no: too few fillings are rated")),
            )
            for model, tables in runs.items()
        ]
    )


def _means(runs: Mapping[str, Tables], measure: str) -> pl.DataFrame:
    group_rows = (pl.col("measure") == measure) & pl.col("item").is_null() & pl.col("value").is_not_null()
    columns = ("group", "value", "low", "high", "n")
    return pl.concat(
        [
            tables["measures"].filter(group_rows).select(pl.lit(model).alias("model"), *columns)
            for model, tables in runs.items()
        ]
    )


def _describe(runs: Mapping[str, Tables], measure: str) -> str:
    """The panels in words: the mean and interval of each model in each group."""
    means = _means(runs, measure)
    panels = []
    for group in next(iter(runs.values()))["sentences"]["group"].unique(maintain_order=True).to_list():
        rows = means.filter(pl.col("group") == group).iter_rows(named=True)
        panels.append(f"{group}: {', '.join(_describe_mean(row) for row in rows) or 'nothing is rated'}")
    return f"Mean {measure} with its interval, by group and model. {'; '.join(panels)}."


def _describe_mean(row: dict[str, Any]) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"
    return f"{row['model']} {row['value']:.2f}{interval}"
