"""Figure 3: the regions' names in the model's own space, beside where the regions lie on the globe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import altair as alt
import polars as pl

from tacit.figure import INK, NEUTRAL, Figure
from tacit.methods.base import Tables
from tacit.methods.hierarchy.geography import NAMES_AND_GLOBE
from tacit.numbers import interval_text, p_text

__all__ = ["name_figures"]

_WIDTH, _HEIGHT = 300, 260
_FEWEST_IN_ZOOM = 4


def name_figures(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """All names, with the true layout first if it is known; then those of one top region, labeled."""
    spaces = {model: tables["space"] for model, tables in runs.items() if len(tables["space"])}
    if not spaces:
        return
    first = next(iter(spaces.values()))
    tops = first["top"].unique(maintain_order=True).to_list()
    yield Figure(
        name="hierarchy-names",
        title="The regions' names in the model's own space",
        chart=alt.concat(*_panels(spaces, tops), columns=2).configure_view(stroke=NEUTRAL),
        caption="Each point is the contextual vector of a region's name (section 4.3), projected onto a plane by "
        f"{first['made'][0]}. Points that are close are similar to the model; the axes have no meaning. Names from the "
        f"same part of the world are often spelled alike, too.{_correlations(runs)} Drag to move, scroll to zoom in.",
        alt=f"Scatter plot of {sum(map(len, spaces.values()))} names, colored by {', '.join(tops)}.",
    )
    zoom = next(iter(runs.values()))["regions"]["zoom"][0]
    close = {model: space.filter(pl.col("top") == zoom) for model, space in spaces.items()}
    if max(map(len, close.values())) >= _FEWEST_IN_ZOOM:
        yield Figure(
            name="hierarchy-names-zoom",
            title=f"The names of {zoom} in the model's own space",
            chart=alt.concat(*_panels(close, tops, labeled=True), columns=2).configure_view(stroke=NEUTRAL),
            caption=f"The points of {zoom} in the figure of all names, with their names. Choose another part of the "
            "world with --set zoom=NAME.",
            alt=f"Scatter plot of the names of {zoom}.",
        )


def _panels(spaces: Mapping[str, pl.DataFrame], tops: list[str], *, labeled: bool = False) -> list[alt.Chart]:
    """The true layout (Figure 3a), then a panel per model, each to be moved and enlarged on its own."""
    panels: list[alt.Chart | alt.LayerChart] = []
    located = next(iter(spaces.values())).drop_nulls("latitude")
    if len(located) >= _FEWEST_IN_ZOOM:
        globe = located.select("name", "top", x="longitude", y="latitude")
        panels.append(_panel(globe, "where they are", tops, labeled=labeled))
    for model, space in spaces.items():
        panels.append(_panel(space.select("name", "top", "x", "y"), model, tops, labeled=labeled))
    return [panel.interactive(name=f"pan{number}") for number, panel in enumerate(panels)]


def _panel(points: pl.DataFrame, title: str, tops: list[str], *, labeled: bool) -> alt.Chart | alt.LayerChart:
    legend: dict[str, None] = {"legend": None} if labeled else {}
    base = alt.Chart(points, title=title).encode(
        x=alt.X("x:Q", title=None, axis=None, scale=alt.Scale(zero=False, padding=12)),
        y=alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(zero=False, padding=12)),
        color=alt.Color("top:N", scale=alt.Scale(scheme="dark2", domain=tops), title=None, **legend),
        tooltip=["name", "top"],
    )
    dots = base.mark_point(filled=True, size=36, opacity=0.85, stroke=INK, strokeWidth=0.3, clip=True).encode(
        shape=alt.Shape("top:N", scale=alt.Scale(domain=tops), title=None, **legend),
    )
    if not labeled:
        return dots.properties(width=_WIDTH, height=_HEIGHT)
    names = base.mark_text(align="left", dx=5, fontSize=8, clip=True).encode(text="name:N", color=alt.value(INK))
    return (dots + names).properties(width=1.4 * _WIDTH, height=1.4 * _HEIGHT)


def _correlations(runs: Mapping[str, Tables]) -> str:
    """The number for Figure 3: the rank correlation of distances between names and on the globe."""
    parts = []
    for model, tables in runs.items():
        rows = tables["measures"].filter((pl.col("measure") == NAMES_AND_GLOBE) & pl.col("value").is_not_null())
        values = [
            f"{interval_text(row['value'], row['low'], row['high'])} over {row['group']} ({p_text(row['p'])})"
            for row in rows.iter_rows(named=True)
        ]
        if values:
            parts.append(f"{model}: {', '.join(values)}")
    if not parts:
        return ""
    return (
        f" Rank correlation of the distances between names with those on the globe (Mantel test): {'; '.join(parts)}."
    )
