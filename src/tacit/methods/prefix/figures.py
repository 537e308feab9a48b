"""The figures of the prefix method: how far each region moves the classifier, as dots and as a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import altair as alt
import polars as pl

from tacit.figure import INK, NEGATIVE, POSITIVE, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.hierarchy.world_map import map_codes, world_map

__all__ = ["figures"]

_PER_END = 12
_FEWEST_COUNTRIES = 30


def figures(tables: Mapping[str, Tables]) -> list[Figure]:
    """All figures that the tables allow.

    Args:
        tables: The tables of each model, by the model's name.
    """
    regions = {model: model_tables["regions"] for model, model_tables in tables.items()}
    return [_regions_figure(regions), *_map_figure(regions)]


def _regions_figure(regions: Mapping[str, pl.DataFrame]) -> Figure:
    """The regions with the largest changes in either direction."""
    first = next(iter(regions.values())).sort("change", descending=True)
    ends = first if len(first) <= 2 * _PER_END else pl.concat([first.head(_PER_END), first.tail(_PER_END)])
    named = [table.with_columns(model=pl.lit(model)) for model, table in regions.items()]
    rows = pl.concat(named, how="diagonal").filter(pl.col("region").is_in(ends["region"].to_list()))
    models, target = list(regions), first["target"][0]
    numbers = [alt.Tooltip(f"{name}:Q", format=".4f") for name in ("change", "changed", "risen", "fallen")]
    dots = (
        alt.Chart(rows)
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x=alt.X("change:Q", title=f"mean change in the probability of {target}"),
            y=alt.Y("name:N", sort=ends["name"].to_list(), title=None),
            yOffset=alt.YOffset("model:N", sort=models),
            color=alt.Color("model:N", scale=model_scale(models), title=None),
            tooltip=["model", "name", "top", *numbers],
        )
    )
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=INK, opacity=0.5).encode(x="zero:Q")
    return Figure(
        name="prefix-regions",
        title="What naming a region does to the classifier",
        chart=(zero + dots).properties(width=430, height=len(ends) * (10 + 6 * len(models))),
        caption=f"Mean change in the probability of “{target}” after a sentence that names the region (0 = no change), "
        "for the regions with the largest changes in either direction (those of the first model). Compare regions with "
        "each other: a change that all regions share comes from the sentence, not from the region.",
        alt=f"Dot plot of the change in the probability of {target}: highest for {', '.join(ends['name'].head(3))}; "
        f"lowest for {', '.join(ends['name'].tail(3))}.",
    )


def _map_figure(regions: Mapping[str, pl.DataFrame]) -> Iterator[Figure]:
    """The world map (Figure 4), if enough regions have the code of a country."""
    first = next(iter(regions.values()))
    if len(first.filter(pl.col("code").is_in(list(map_codes())))) < _FEWEST_COUNTRIES:
        return
    target = first["target"][0]
    limit = max(float(table["change"].abs().to_numpy().max()) for table in regions.values())
    scale = alt.Scale(domain=[-limit, 0, limit], range=[NEGATIVE, "#f0f0f0", POSITIVE])
    rows = {model: table.select("code", "name", value="change").to_dicts() for model, table in regions.items()}
    charts = [world_map(countries, model, f"change in {target}", scale) for model, countries in rows.items()]
    yield Figure(
        name="prefix-map",
        title="Where naming a country moves the classifier",
        chart=alt.vconcat(*charts),
        caption=f"Mean change in the probability of “{target}” (the paper's Figure 4). Hatched countries were not "
        "asked.",
        alt=f"World map of the change in the probability of {target}.",
    )
