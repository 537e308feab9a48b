"""The figures of HERB's section 4.5: where naming a region moves a classifier, and how many labels change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import altair as alt
import polars as pl

from tacit.figure import INK, NEGATIVE, POSITIVE, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.hierarchy.world_map import drawn_codes, world_map

__all__ = ["figures"]

_EACH_END = 12
_MAPPED = 30


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The regions that move the classifier most, and the map (Figure 4)."""
    return [_changes(runs), *_map(runs)]


def _changes(runs: Mapping[str, Tables]) -> Figure:
    first = next(iter(runs.values()))["regions"].sort("change", descending=True)
    ends = first if len(first) <= 2 * _EACH_END else pl.concat([first.head(_EACH_END), first.tail(_EACH_END)])
    rows = pl.concat(
        [tables["regions"].with_columns(model=pl.lit(model)) for model, tables in runs.items()], how="diagonal"
    )
    base = alt.Chart(rows.filter(pl.col("region").is_in(ends["region"].to_list()))).encode(
        y=alt.Y("name:N", sort=ends["name"].to_list(), title=None),
        yOffset=alt.YOffset("model:N", sort=list(runs)),
        color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
    )
    target = first["target"][0]
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=alt.X("change:Q", title=f"mean change in the probability of {target}"),
        tooltip=[
            "model",
            "name",
            "top",
            *(alt.Tooltip(f"{c}:Q", format=".4f") for c in ("change", "changed", "risen", "fallen")),
        ],
    )
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=INK, opacity=0.5).encode(x="zero:Q")
    return Figure(
        name="prefix-regions",
        title="What naming a region does to the classifier",
        chart=(zero + dots).properties(width=430, height=len(ends) * (10 + 6 * len(runs))),
        caption=f"Mean change in the probability of “{target}” when a sentence names the region; 0 means that it does "
        "nothing. The regions at both ends (the first model's). Compare regions: a shift that all share is the "
        "sentence's, not the region's.",
        alt=f"Dot plot of the change in the probability of {target}: highest for {', '.join(ends['name'].head(3))}; "
        f"lowest for {', '.join(ends['name'].tail(3))}.",
    )


def _map(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    first = next(iter(runs.values()))["regions"]
    if len(first.filter(pl.col("code").is_in(list(drawn_codes())))) < _MAPPED:
        return
    target = first["target"][0]
    reach = max(float(tables["regions"]["change"].abs().to_numpy().max()) for tables in runs.values())
    scale = alt.Scale(domain=[-reach, 0, reach], range=[NEGATIVE, "#f0f0f0", POSITIVE])
    charts = [
        world_map(t["regions"].select("code", "name", value="change").to_dicts(), model, f"change in {target}", scale)
        for model, t in runs.items()
    ]
    yield Figure(
        name="prefix-map",
        title="Where naming a country moves the classifier",
        chart=alt.vconcat(*charts),
        caption=f"Mean change in the probability of “{target}” (the study's Figure 4). Hatched: not asked.",
        alt=f"World map of the change in the probability of {target}.",
    )
