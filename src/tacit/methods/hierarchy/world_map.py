"""A world map of one value a country: shapes, dots for countries too small to see, hatches where there is no value."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt

from tacit.figure import NEUTRAL

__all__ = ["drawn_codes", "world_map"]

_WIDTH, _HEIGHT = 640, 330


def world_map(rows: Sequence[dict[str, Any]], title: str, value: str, scale: alt.Scale) -> alt.LayerChart:
    """Colour each country by its value. A row has `code` (ISO alpha-2), `name` and `value`, perhaps None."""
    world = _world()
    known = {row["code"]: row for row in rows if row["code"] and row["value"] is not None}
    colour = alt.Color("value:Q", title=value, scale=scale, legend=alt.Legend(orient="bottom", gradientLength=260))
    tooltip = [alt.Tooltip("name:N", title="region"), alt.Tooltip("value:Q", title=value, format=".4g")]
    layers = [
        _shapes(world, list(known.values()), colour, tooltip),
        _hatches(world, known.keys()),
        _dots(world, known, colour, tooltip),
    ]
    return alt.layer(*layers).project("naturalEarth1").properties(width=_WIDTH, height=_HEIGHT, title=title)


def drawn_codes() -> set[str]:
    """The countries that have a place on the map, as a shape or a dot."""
    world = _world()
    shapes = world["countries"]["objects"]["countries"]["geometries"]
    return {*(shape["id"] for shape in shapes), *world["dots"]}


@cache
def _world() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(Path(__file__).with_name("world.json").read_text(encoding="utf-8"))
    return loaded


def _shapes(
    world: dict[str, Any], rows: list[dict[str, Any]], colour: alt.Color, tooltip: list[alt.Tooltip]
) -> alt.Chart:
    shapes = alt.InlineData(values=world["countries"], format=alt.DataFormat(type="topojson", feature="countries"))
    values = alt.LookupData(alt.InlineData(values=rows), key="code", fields=["value", "name"])
    return (
        alt.Chart(shapes)
        .mark_geoshape(stroke=NEUTRAL, strokeWidth=0.4)
        .transform_lookup(lookup="id", from_=values)
        .transform_filter("isValid(datum.value)")
        .encode(color=colour, tooltip=tooltip)
    )


def _hatches(world: dict[str, Any], known: Any) -> alt.Chart:
    lines = [line for code, found in world["hatches"].items() if code not in known for line in found]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "MultiLineString", "coordinates": lines}}
    mark = alt.Chart(alt.InlineData(values=[feature]))
    return mark.mark_geoshape(filled=False, stroke=NEUTRAL, strokeWidth=0.6)


def _dots(world: dict[str, Any], known: dict[str, Any], colour: alt.Color, tooltip: list[alt.Tooltip]) -> alt.Chart:
    dots = [
        {
            "code": code,
            "longitude": place[0],
            "latitude": place[1],
            "name": known[code]["name"],
            "value": known[code]["value"],
        }
        for code, place in world["dots"].items()
        if code in known
    ]
    mark = alt.Chart(alt.InlineData(values=dots)).mark_circle(size=26, opacity=1, stroke=NEUTRAL, strokeWidth=0.5)
    return mark.encode(longitude="longitude:Q", latitude="latitude:Q", color=colour, tooltip=tooltip)
