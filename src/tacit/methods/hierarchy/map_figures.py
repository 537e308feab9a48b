"""HERB's world maps: C_w of each country, and the score of one word in each country (the paper's Figure 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import altair as alt
import polars as pl

from tacit.figure import Figure
from tacit.methods.base import Tables
from tacit.methods.hierarchy.world_map import map_codes, world_map

__all__ = ["map_figures"]

_FEWEST_COUNTRIES = 30


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
        alt=_alt(regions, "c_w", "C_w"),
    )
    yield Figure(
        name="hierarchy-map-word",
        title=f"“People in … are {word}.”",
        chart=_maps(regions, "word_score", f"log-likelihood with “{word}”", alt.Scale(scheme="cividis")),
        caption=f"The mean log-likelihood per token of the sentence with “{word}” in each country (the paper's "
        "Figure 1). Long and rare names lower it for every word. Choose another word with --set word=WORD.",
        alt=_alt(regions, "word_score", f"the log-likelihood with {word}"),
    )


def _maps(regions: Mapping[str, pl.DataFrame], column: str, title: str, scale: alt.Scale) -> alt.VConcatChart:
    rows = {model: table.select("code", "name", value=pl.col(column)).to_dicts() for model, table in regions.items()}
    return alt.vconcat(*(world_map(countries, model, title, scale) for model, countries in rows.items()))


def _alt(regions: Mapping[str, pl.DataFrame], column: str, title: str) -> str:
    sentences = []
    for model, table in regions.items():
        ranked = table.drop_nulls(column).sort(column, descending=True)["name"]
        sentences.append(f"{model}: highest in {', '.join(ranked.head(3))}; lowest in {', '.join(ranked.tail(3))}.")
    return " ".join([f"World map of {title}.", *sentences])
