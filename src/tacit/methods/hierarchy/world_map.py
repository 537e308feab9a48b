"""A world map of one value per country: shapes, dots for countries too small to see, hatches for missing values."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt

from tacit.figure import NEUTRAL

__all__ = ["map_codes", "world_map"]

_WIDTH, _HEIGHT = 640, 330


def world_map(rows: Sequence[Mapping[str, Any]], title: str, legend: str, scale: alt.Scale) -> alt.LayerChart:
    """Color each country by its value.

    Args:
        rows: One per country: `code` (ISO 3166 alpha-2), `name` and `value`, which can be None.
        title: Shown above the map.
        legend: What the value is called.
        scale: From values to colors.
    """
    values = {row["code"]: row for row in rows if row["code"] and row["value"] is not None}
    gradient = alt.Legend(orient="bottom", gradientLength=260)
    channels = {
        "color": alt.Color("value:Q", title=legend, scale=scale, legend=gradient),
        "tooltip": [alt.Tooltip("name:N", title="region"), alt.Tooltip("value:Q", title=legend, format=".4g")],
    }
    layers = [_shapes(values).encode(**channels), _hatches(values), _dots(values).encode(**channels)]
    return alt.layer(*layers).project("naturalEarth1").properties(width=_WIDTH, height=_HEIGHT, title=title)


def map_codes() -> set[str]:
    """The codes of all countries on the map, as shapes or dots."""
    shapes = _world()["countries"]["objects"]["countries"]["geometries"]
    return {*(shape["id"] for shape in shapes), *_world()["dots"]}


@cache
def _world() -> dict[str, Any]:
    world: dict[str, Any] = json.loads(Path(__file__).with_name("world.json").read_text(encoding="utf-8"))
    return world


def _shapes(values: Mapping[str, Mapping[str, Any]]) -> alt.Chart:
    topology = alt.DataFormat(type="topojson", feature="countries")
    rows = alt.InlineData(values=list(values.values()))
    return (
        alt.Chart(alt.InlineData(values=_world()["countries"], format=topology))
        .mark_geoshape(stroke=NEUTRAL, strokeWidth=0.4)
        .transform_lookup(lookup="id", from_=alt.LookupData(rows, key="code", fields=["value", "name"]))
        .transform_filter("isValid(datum.value)")
    )


def _hatches(known: Collection[str]) -> alt.Chart:
    lines = [line for code, hatches in _world()["hatches"].items() if code not in known for line in hatches]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "MultiLineString", "coordinates": lines}}
    chart = alt.Chart(alt.InlineData(values=[feature]))
    return chart.mark_geoshape(filled=False, stroke=NEUTRAL, strokeWidth=0.6)


def _dots(values: Mapping[str, Mapping[str, Any]]) -> alt.Chart:
    dots = [
        {"longitude": longitude, "latitude": latitude, **values[code]}
        for code, (longitude, latitude) in _world()["dots"].items()
        if code in values
    ]
    chart = alt.Chart(alt.InlineData(values=dots)).mark_circle(size=26, opacity=1, stroke=NEUTRAL, strokeWidth=0.5)
    return chart.encode(longitude="longitude:Q", latitude="latitude:Q")
