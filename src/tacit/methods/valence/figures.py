"""Figures 1 and 2 of the temporal valence study: the spread of beta and delta, a panel a group, models side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import NEUTRAL, Figure, model_scale
from tacit.methods.base import Tables

__all__ = ["figures"]

_PLACES = 7  # points of a group stand in as many columns, so that they do not hide each other
_TOOLTIP = [
    alt.Tooltip("text:N", title="sentence"),
    alt.Tooltip("fillings:N", title="fillings (score)"),
    alt.Tooltip("original:N", title="original word"),
    alt.Tooltip("rho:Q", title="rho"),
    alt.Tooltip("beta:Q", title="beta", format=".3f"),
    alt.Tooltip("delta:Q", title="delta", format=".3f"),
    alt.Tooltip("bounds:N", title="beta at least, at most"),
    alt.Tooltip("rated:Q", title="rated share", format=".0%"),
    alt.Tooltip("status:N", title="counted"),
]


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The spread of beta (Figure 1) and of delta (Figure 2)."""
    scale = next(iter(runs.values()))["scale"].row(0, named=True)
    poles = f"{scale['least']:g} is {scale['low']}, {scale['greatest']:g} is {scale['high']}"
    middle = (scale["least"] + scale["greatest"]) / 2
    reading = (
        "A point is a sentence (hover for its fillings), the box its middle half, the grey bar the mean with its "
        "interval over sentences; hollow points are sentences of which too little is rated to count them."
    )
    return [
        Figure(
            name="valence-beta",
            title="Bias beta of each model, by group of sentences",
            chart=_panels(runs, "beta", [scale["least"], scale["greatest"]], middle),
            caption=f"Beta: {poles}; the line at {middle:g} leans to neither. {reading}",
            alt=_alt(runs, "beta"),
        ),
        Figure(
            name="valence-delta",
            title="Domain adequacy delta of each model, by group of sentences",
            chart=_panels(runs, "delta", [0, 1], None),
            caption=f"Delta: 1 where beta is the score of the sentence itself, 0 at the far end. {reading} "
            "Compare models within a panel, not panels: a sentence in the middle of the scale cannot score below 0.5.",
            alt=_alt(runs, "delta"),
        ),
    ]


def _panels(runs: Mapping[str, Tables], measure: str, domain: list[float], neutral: float | None) -> alt.HConcatChart:
    points, means = _points(runs), _means(runs, measure)
    groups = points["group"].unique(maintain_order=True).to_list()
    panels = [
        _panel(
            points.filter(pl.col("group") == group), means.filter(pl.col("group") == group), measure, domain, neutral
        )
        for group in groups
    ]
    titled = [
        panel.properties(width=max(110, 75 * len(runs)), height=280, title=group)
        for panel, group in zip(panels, groups, strict=True)
    ]
    return alt.hconcat(*titled).resolve_scale(y="shared")


def _panel(
    points: pl.DataFrame, means: pl.DataFrame, measure: str, domain: list[float], neutral: float | None
) -> alt.LayerChart:
    models = points["model"].unique(maintain_order=True).to_list()
    band = alt.Scale(paddingInner=0.25, paddingOuter=0.15)
    x = alt.X("model:N", sort=models, title=None, scale=band, axis=alt.Axis(labelAngle=-30, labelLimit=160))
    y = alt.Y(f"{measure}:Q", title=measure, scale=alt.Scale(domain=domain, nice=False))
    colour = alt.Color("model:N", scale=model_scale(models), legend=None)
    box = alt.Chart(points.filter("counted")).mark_boxplot(size=34, opacity=0.35, outliers=False).encode(x, y, colour)
    dots = (
        alt.Chart(points)
        .mark_point(size=38, strokeWidth=1.4)
        .encode(x, y, colour, alt.Fill("model:N", scale=model_scale(models), legend=None), alt.XOffset("place:O"))
        .encode(fillOpacity=alt.condition(alt.datum.counted, alt.value(0.8), alt.value(0)), tooltip=_TOOLTIP)
    )
    interval = alt.Chart(means).encode(x).mark_rule(strokeWidth=3, color=_INK).encode(y="low:Q", y2="high:Q")
    mean = (
        alt.Chart(means)
        .encode(x)
        .mark_tick(thickness=3, size=26, color=_INK)
        .encode(y="value:Q", tooltip=_mean_tooltip())
    )
    zero = [] if neutral is None else [_line(neutral)]
    return alt.layer(*zero, box, dots, interval, mean)


_INK = "#5b5b5b"  # dark enough on white, light enough on black


def _line(value: float) -> alt.Chart:
    return alt.Chart(pl.DataFrame({"at": [value]})).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y="at:Q")


def _mean_tooltip() -> list[alt.Tooltip]:
    shown = (("value", "mean"), ("low", "from"), ("high", "to"))
    return ["model:N", *(alt.Tooltip(f"{name}:Q", title=title, format=".3f") for name, title in shown), "n:Q"]


def _points(runs: Mapping[str, Tables]) -> pl.DataFrame:
    bounds = pl.format("{} to {}", pl.col("beta_low").round(2), pl.col("beta_high").round(2))
    return pl.concat(
        [
            tables["sentences"].with_columns(
                model=pl.lit(model),
                place=pl.int_range(pl.len()).over("group") % _PLACES,
                bounds=bounds,
                status=pl.when("counted").then(pl.lit("yes")).otherwise(pl.lit("no: too little is rated")),
            )
            for model, tables in runs.items()
        ]
    )


def _means(runs: Mapping[str, Tables], measure: str) -> pl.DataFrame:
    wanted = (pl.col("measure") == measure) & pl.col("item").is_null() & pl.col("value").is_not_null()
    columns = ("group", "value", "low", "high", "n")
    return pl.concat(
        [
            tables["measures"].filter(wanted).select(pl.lit(model).alias("model"), *columns)
            for model, tables in runs.items()
        ]
    )


def _alt(runs: Mapping[str, Tables], measure: str) -> str:
    """What the panels show, in words: the mean and interval of each model in each group."""
    groups = next(iter(runs.values()))["sentences"]["group"].unique(maintain_order=True).to_list()
    means = _means(runs, measure)
    told = [
        f"{group}: {', '.join(_mean_in_words(row) for row in rows.iter_rows(named=True)) or 'nothing is rated'}"
        for group in groups
        for rows in [means.filter(pl.col("group") == group)]
    ]
    return f"Mean {measure} with its interval, by group and model. {'; '.join(told)}."


def _mean_in_words(row: dict[str, Any]) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"
    return f"{row['model']} {row['value']:.2f}{interval}"
