"""World maps of one value per country: shapes, dots for countries too small to see, hatches for missing values."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import NEUTRAL, Figure
from tacit.methods.base import Tables

__all__ = ["map_codes", "map_figures", "world_map"]

_FEWEST_COUNTRIES = 30
_WIDTH, _HEIGHT = 640, 330


def map_figures(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """Both maps, if enough regions have the code of a country."""
    first = next(iter(runs.values()))["regions"]
    countries = first.filter(pl.col("code").is_in(list(map_codes())) & (pl.col("depth") > 0))
    if len(countries) < _FEWEST_COUNTRIES:
        return
    depth = int(countries["depth"][0])
    regions = {model: tables["regions"].filter(pl.col("depth") == depth) for model, tables in runs.items()}
    word = first["word"][0]
    yield Figure(
        name="hierarchy-map-c",
        title="C_w of each country",
        chart=_maps(regions, "c_w", "C_w", alt.Scale(scheme="viridis")),
        caption="How differently the parts of each country are described. Hatched countries have no value: the tree "
        "has fewer than two of their sub-regions, or does not have them at all. Dots are countries too small to see.",
        alt=_map_alt(regions, "c_w", "C_w"),
    )
    yield Figure(
        name="hierarchy-map-word",
        title=f"“People in … are {word}.”",
        chart=_maps(regions, "word_score", f"log-likelihood with “{word}”", alt.Scale(scheme="cividis")),
        caption=f"The mean log-likelihood per token of the sentence with “{word}” in each country (the paper's "
        "Figure 1). Long and rare names lower it for every word. Choose another word with --set word=WORD.",
        alt=_map_alt(regions, "word_score", f"the log-likelihood with {word}"),
    )


def _maps(regions: Mapping[str, pl.DataFrame], column: str, title: str, scale: alt.Scale) -> alt.VConcatChart:
    rows = {model: table.select("code", "name", value=pl.col(column)).to_dicts() for model, table in regions.items()}
    return alt.vconcat(*(world_map(countries, model, title, scale) for model, countries in rows.items()))


def _map_alt(regions: Mapping[str, pl.DataFrame], column: str, title: str) -> str:
    sentences = []
    for model, table in regions.items():
        ranked = table.drop_nulls(column).sort(column, descending=True)["name"]
        sentences.append(f"{model}: highest in {', '.join(ranked.head(3))}; lowest in {', '.join(ranked.tail(3))}.")
    return " ".join([f"World map of {title}.", *sentences])


def world_map(
    rows: Sequence[Mapping[str, Any]], title: str, legend: str, scale: alt.Scale, *, clip: bool = False
) -> alt.LayerChart:
    """Color each country by its value.

    Args:
        rows: One per country: `code` (ISO 3166 alpha-2), `name` and `value`, which can be None.
        title: Shown above the map.
        legend: What the value is called.
        scale: From values to colors.
        clip: Cut off what lies outside the frame, for a map of a part of the world.
    """
    values = {row["code"]: row for row in rows if row["code"] and row["value"] is not None}
    gradient = alt.Legend(orient="bottom", gradientLength=260)
    channels = {
        "color": alt.Color("value:Q", title=legend, scale=scale, legend=gradient),
        "tooltip": [alt.Tooltip("name:N", title="region"), alt.Tooltip("value:Q", title=legend, format=".4g")],
    }
    layers = [_shapes(values, clip).encode(**channels), _hatches(values, clip), _dots(values).encode(**channels)]
    return alt.layer(*layers).project("naturalEarth1").properties(width=_WIDTH, height=_HEIGHT, title=title)


def map_codes() -> set[str]:
    """The codes of all countries on the map, as shapes or dots."""
    shapes = _world()["countries"]["objects"]["countries"]["geometries"]
    return {*(shape["id"] for shape in shapes), *_world()["dots"]}


@cache
def _world() -> dict[str, Any]:
    world: dict[str, Any] = json.loads(Path(__file__).with_name("world.json").read_text(encoding="utf-8"))
    return world


def _shapes(values: Mapping[str, Mapping[str, Any]], clip: bool) -> alt.Chart:
    topology = alt.DataFormat(type="topojson", feature="countries")
    rows = alt.InlineData(values=list(values.values()))
    return (
        alt.Chart(alt.InlineData(values=_world()["countries"], format=topology))
        .mark_geoshape(stroke=NEUTRAL, strokeWidth=0.4, clip=clip)
        .transform_lookup(lookup="id", from_=alt.LookupData(rows, key="code", fields=["value", "name"]))
        .transform_filter("isValid(datum.value)")
    )


def _hatches(known: Collection[str], clip: bool) -> alt.Chart:
    lines = [line for code, hatches in _world()["hatches"].items() if code not in known for line in hatches]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "MultiLineString", "coordinates": lines}}
    chart = alt.Chart(alt.InlineData(values=[feature]))
    return chart.mark_geoshape(filled=False, stroke=NEUTRAL, strokeWidth=0.6, clip=clip)


def _dots(values: Mapping[str, Mapping[str, Any]]) -> alt.Chart:
    dots = [
        {"longitude": longitude, "latitude": latitude, **values[code]}
        for code, (longitude, latitude) in _world()["dots"].items()
        if code in values
    ]
    chart = alt.Chart(alt.InlineData(values=dots)).mark_circle(size=26, opacity=1, stroke=NEUTRAL, strokeWidth=0.5)
    return chart.encode(longitude="longitude:Q", latitude="latitude:Q")
