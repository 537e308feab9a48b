"""The chart of the error analysis: what is likeliest in the blank of each word, by class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import Figure
from tacit.methods.base import Tables
from tacit.methods.contrast.fillings import CLASSES
from tacit.methods.contrast.materials import WITH
from tacit.methods.contrast.verdicts import ALL_ITEMS

__all__ = ["filling_figures"]

# From right to wrong: greens, then the negation in red, then what is neither.
_COLORS = ("#1b7837", "#b2182b", "#762a83", "#7fbf7b", "#c7e9c0", "#c6dbef", "#d9d9d9")


def filling_figures(tables: Mapping[str, Tables], about: dict[str, Any]) -> list[Figure]:
    """The figure, or none if no model was asked for its likeliest words."""
    parts = [_rows(of_model, model) for model, of_model in tables.items() if "errors" in of_model]
    if not parts:
        return []
    rows = pl.concat(parts)
    present = [kind for kind in CLASSES if kind in {*rows["class"]}]
    colors = [_COLORS[CLASSES.index(kind)] for kind in present]
    bars = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("first:Q", title="share of sentences", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
            y=alt.Y("group:N", sort=_groups(rows), title=None),
            color=alt.Color("class:N", sort=present, scale=alt.Scale(domain=present, range=colors), title="likeliest"),
            order=alt.Order("place:Q"),
            tooltip=[
                "model:N",
                alt.Tooltip("group:N", title=about["noun"]),
                "class:N",
                alt.Tooltip("first:Q", title="likeliest filling", format=".0%"),
                alt.Tooltip("fillings:Q", title="of all fillings", format=".0%"),
                alt.Tooltip("probability:Q", title="mean probability", format=".3f"),
            ],
        )
        .properties(width=230, height=13 * len(_groups(rows)))
    )
    figure = Figure(
        "contrast-fillings",
        "What is likeliest in the blank instead",
        bars.facet(alt.Facet("model:N", sort=[*tables], title=None), columns=3),
        f"For each {about['noun']}, the share of its sentences whose likeliest filling is of each class. "
        "The first row is over all sentences. Hover for all fillings and their probability.",
        _text_alternative(rows),
    )
    return [figure]


def _rows(tables: Tables, model: str) -> pl.DataFrame:
    words = tables["words"]["word"].unique(maintain_order=True).to_list()
    rows = tables["errors"].filter(
        (pl.col("context") == WITH) & (pl.col("outcome") == "all") & pl.col("group").is_in([ALL_ITEMS, *words])
    )
    order = {name: place for place, name in enumerate([ALL_ITEMS, *words])}
    place = {kind: number for number, kind in enumerate(CLASSES)}
    return rows.sort(pl.col("group").replace_strict(order, return_dtype=pl.Int64), maintain_order=True).with_columns(
        model=pl.lit(model), place=pl.col("class").replace_strict(place, return_dtype=pl.Int64)
    )


def _groups(rows: pl.DataFrame) -> list[str]:
    return [str(group) for group in rows["group"].unique(maintain_order=True)]


def _text_alternative(rows: pl.DataFrame) -> str:
    parts = []
    for of_model in rows.filter(pl.col("group") == ALL_ITEMS).partition_by("model", maintain_order=True):
        shares = ", ".join(f"{row['class']} {row['first']:.0%}" for row in of_model.iter_rows(named=True))
        parts.append(f"{of_model['model'][0]}: {shares}")
    return f"Bar chart of the class of the likeliest filling. Over all sentences, {'; '.join(parts)}."
