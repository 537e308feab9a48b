"""The chart of results by source."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.sentiment.sources import source_rows

__all__ = ["source_figures"]


def source_figures(runs: Mapping[str, Tables], control: str, score: str) -> list[Figure]:
    """The control and the score of each source with their intervals, where the runs have sources.

    Args:
        runs: The tables of each model.
        control: The measure of the positive control.
        score: The measure of the neutral words.
    """
    shown = [
        source_rows(tables["measures"], measure).with_columns(model=pl.lit(model))
        for model, tables in runs.items()
        for measure in (control, score)
    ]
    rows = pl.concat(shown).drop_nulls("value").select("model", "source", "measure", "value", "low", "high")
    if rows.is_empty():
        return []
    panels = [_panel(rows.filter(pl.col("measure") == measure), measure, list(runs)) for measure in (control, score)]
    listed = rows.select("model", "source", "measure", "value").iter_rows()
    told = "; ".join(f"{model}, {source}, {measure}: {value:.3g}" for model, source, measure, value in listed)
    return [
        Figure(
            "sources",
            "Does it hold for reviews of every source?",
            alt.hconcat(*panels),
            "The positive control and the mean over the neutral words, computed from the reviews of each source alone, "
            "with intervals. Those of one source are wider, because there are fewer reviews.",
            f"Results by source. {told}.",
        )
    ]


def _panel(rows: pl.DataFrame, measure: str, models: list[str]) -> alt.LayerChart:
    base = alt.Chart(rows).encode(
        y=alt.Y("source:N", title=None),
        yOffset="model:N",
        color=alt.Color("model:N", scale=model_scale(models), title=None),
        tooltip=["model", "source", *(alt.Tooltip(name, format=".3f") for name in ("value", "low", "high"))],
    )
    scale = alt.Scale(zero=False)
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=measure, scale=scale), x2="high:Q")
    points = base.mark_circle(size=60, opacity=1).encode(x=alt.X("value:Q", title=measure, scale=scale))
    return alt.layer(lines, points).properties(width=300, height={"step": 16})
