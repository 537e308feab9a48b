"""Figure 1b: one top region of the world map, enlarged, with its countries' values beside its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import polars as pl

from tacit.figure import INK, Figure
from tacit.methods.base import Tables
from tacit.methods.hierarchy.locations import locations
from tacit.methods.hierarchy.world_map import world_map

__all__ = ["zoom_figure"]

_FEWEST = 4
_SIZE = 420


def zoom_figure(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """The word's map of one top region, if enough of its parts are countries with a known location."""
    first = next(iter(runs.values()))["regions"]
    zoom, word = first["zoom"][0], first["word"][0]
    parts = {model: _parts(tables["regions"], zoom) for model, tables in runs.items()}
    codes = [code for code in next(iter(parts.values()))["code"] if code in locations()]
    if len(codes) < _FEWEST:
        return
    view = _View.of(codes)
    panels = []
    for model, rows in parts.items():
        own = _own_value(runs[model]["regions"], zoom)
        panels.append(alt.hconcat(_map(rows, model, word, view), _strip(rows, zoom, own, word)))
    yield Figure(
        name="hierarchy-map-zoom",
        title=f"“People in … are {word}.” in {zoom}",
        chart=alt.vconcat(*panels),
        caption="The map of the word, enlarged (the paper's Figure 1b). Beside it, one line per country, and ◀ for "
        f"the sentence about {zoom} itself. Choose another part of the world with --set zoom=NAME, another word with "
        "--set word=WORD.",
        alt=f"Map of the log-likelihood with {word} in {zoom}; {zoom} itself beside its {len(codes)} countries.",
    )


@dataclass(frozen=True)
class _View:
    """The middle of the map, and how many pixels the globe's radius has."""

    latitude: float
    longitude: float
    scale: float

    @classmethod
    def of(cls, codes: Sequence[str]) -> _View:
        """A view that has most of these countries in it, and is not shrunk by a few that are far away."""
        north, east = np.radians([locations()[code] for code in codes]).T
        points = np.array([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)])
        middle = np.median(points, axis=1)
        middle /= np.linalg.norm(middle)
        away = float(np.quantile(np.arccos(np.clip(middle @ points, -1, 1)), 0.9)) * 1.3
        # In Lambert's azimuthal equal-area projection, an angle is 2 sin(angle / 2) radii from the middle.
        scale = _SIZE / 2 / (2 * np.sin(min(max(away, 0.05), np.pi / 2) / 2))
        latitude, longitude = np.degrees([np.arcsin(middle[2]), np.arctan2(middle[1], middle[0])]).round(2).tolist()
        return cls(latitude, longitude, round(float(scale), 1))


def _own_value(regions: pl.DataFrame, zoom: str) -> float:
    """The word's score in the sentence about the top region itself."""
    return float(regions.filter((pl.col("name") == zoom) & (pl.col("top") == zoom))["word_score"][0])


def _parts(regions: pl.DataFrame, zoom: str) -> pl.DataFrame:
    own = regions.filter((pl.col("name") == zoom) & (pl.col("top") == zoom)).row(0, named=True)
    below = (pl.col("top") == zoom) & (pl.col("depth") == own["depth"] + 1)
    return regions.filter(below).select("code", "name", value="word_score")


def _scale(rows: pl.DataFrame) -> alt.Scale:
    values = rows["value"].to_numpy()
    return alt.Scale(scheme="cividis", domain=[float(values.min()), float(values.max())])


def _map(rows: pl.DataFrame, model: str, word: str, view: _View) -> alt.LayerChart:
    chart = world_map(rows.to_dicts(), model, f"log-likelihood with “{word}”", _scale(rows), clip=True)
    middle = [-view.longitude, -view.latitude, 0]
    return chart.project(
        "azimuthalEqualArea", rotate=middle, scale=view.scale, translate=[_SIZE / 2, _SIZE / 2]
    ).properties(width=_SIZE, height=_SIZE)


def _strip(rows: pl.DataFrame, zoom: str, own: float, word: str) -> alt.LayerChart:
    title = f"log-likelihood with “{word}”"
    ticks = (
        alt.Chart(rows)
        .mark_tick(orient="horizontal", width=22, thickness=1.5)
        .encode(
            y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=False)),
            color=alt.Color("value:Q", scale=_scale(rows), legend=None),
            x=alt.value(11),
            tooltip=["name", alt.Tooltip("value:Q", format=".4g")],
        )
    )
    mark = alt.Chart(alt.InlineData(values=[{"value": own, "name": f"◀ {zoom}"}]))
    text = mark.mark_text(align="left", color=INK, fontWeight="bold").encode(
        y=alt.Y("value:Q"), x=alt.value(26), text="name:N"
    )
    return (ticks + text).properties(width=90, height=_SIZE)
