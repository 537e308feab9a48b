"""Charts of the stereotype probes: the study's panels, each item's move, and model against statistics."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, NEUTRAL, POSITIVE, Figure, model_scale
from tacit.methods.base import Tables
from tacit.storage import slug

__all__ = ["figures"]

_GROUP_COLOURS = [NEGATIVE, POSITIVE]
_WITHOUT, _WITH = "base", "with knowledge"


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """The panels for each reach, the moves for each model, and the scatter where there is a statistic."""
    kinds = _joined(runs, "kinds")
    items = _joined(runs, "items")
    names = dict(next(iter(runs.values()))["names"].iter_rows())
    reaches = items["reach"].unique(maintain_order=True)
    drawn = [_panels(kinds.filter(pl.col("reach") == reach), reach, names, list(runs)) for reach in reaches]
    widest = items.filter(pl.col("reach") == reaches[0])
    drawn += [_moves(widest.filter(pl.col("model") == model), model, reaches[0], names) for model in runs]
    if widest["share"].null_count() < widest.height:
        drawn.append(_scatter(widest.filter(pl.col("kind") == "base"), reaches[0], names, list(runs)))
    return drawn


def _panels(kinds: pl.DataFrame, reach: str, names: dict[str, str], models: list[str]) -> Figure:
    first, second = names["first"], names["second"]
    order = kinds.sort("position")["kind"].unique(maintain_order=True).to_list()
    base = alt.Chart(kinds).encode(
        y=alt.Y("model:N", sort=models, title=None),
        yOffset=alt.YOffset("group:N", sort=[first, second]),
        color=alt.Color("group:N", scale=_group_scale(names), title="words"),
        tooltip=["model", "kind", "group", *(alt.Tooltip(name, format=".4f") for name in ("value", "low", "high"))],
    )
    bars = base.mark_bar().encode(x=alt.X("value:Q", title="probability"))
    intervals = base.mark_rule(color=NEUTRAL, strokeWidth=1.5).encode(x="low:Q", x2="high:Q", color=alt.value(NEUTRAL))
    chart = alt.layer(bars, intervals).properties(width=130, height=34 * len(models))
    return Figure(
        f"panels-{slug(reach)}",
        f"{first.capitalize()} and {second} words by kind of knowledge ({reach})",
        chart.facet(alt.Facet("kind:N", sort=order, title=None), columns=5),
        f"Each panel is a kind of prompt, the first without knowledge. Bars are the mean probability of {first} and of "
        f"{second} words ({reach}) over {names['many']}, lines their intervals. Where a model's two bars are equally "
        f"long it leans neither way.",
        _panels_alt(kinds, names, reach),
    )


def _moves(items: pl.DataFrame, model: str, reach: str, names: dict[str, str]) -> Figure:
    first, second = names["first"], names["second"]
    base = items.filter(pl.col("kind") == "base").select("item", before="margin")
    moved = items.filter(pl.col("kind") != "base").join(base, on="item", maintain_order="left")
    order = moved.sort("position")["kind"].unique(maintain_order=True).to_list()
    ends = pl.concat(
        [moved.with_columns(point=pl.lit(_WITHOUT), y="before"), moved.with_columns(point=pl.lit(_WITH), y="margin")]
    ).select("item", "kind", "dominant", "share", "before", "margin", "point", "y")
    lines = (
        alt.Chart(ends)
        .mark_line(opacity=0.55, strokeWidth=1.2, point=alt.OverlayMarkDef(size=12))
        .encode(
            x=alt.X("point:N", sort=[_WITHOUT, _WITH], title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("y:Q", title=f"{first} − {second}"),
            color=alt.Color("dominant:N", scale=_group_scale(names), title="dominated by"),
            detail="item:N",
            tooltip=["item", "kind", "dominant", *(alt.Tooltip(name, format=".4f") for name in ("before", "margin"))],
        )
    )
    zero = alt.Chart(ends).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0))
    chart = alt.layer(zero, lines).properties(width=130, height=150)
    return Figure(
        f"moves-{slug(model)}",
        f"Where knowledge moves each {names['one']}: {model}",
        chart.facet(alt.Facet("kind:N", sort=order, title=None), columns=5),
        f"Each {names['one']} is a line from its margin without knowledge to its margin with it ({first} minus "
        f"{second} words, {reach}). A line that ends on the dashed zero has lost its leaning, one that crosses it has "
        f"turned over, a level one did not move.",
        _moves_alt(moved, model, names),
    )


def _scatter(items: pl.DataFrame, reach: str, names: dict[str, str], models: list[str]) -> Figure:
    known = items.drop_nulls(["share", "first_share"])
    points = (
        alt.Chart(known)
        .mark_circle(size=60, opacity=0.75)
        .encode(
            x=alt.X("share:Q", title=names["statistic"], scale=alt.Scale(domain=[0, 100])),
            y=alt.Y("first_share:Q", title=f"model's {names['first']} share", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("model:N", scale=model_scale(models), title="model"),
            tooltip=[
                alt.Tooltip("item", title=names["one"]),
                "model",
                alt.Tooltip("share", title=names["statistic"]),
                alt.Tooltip("first_share", title="model", format=".3f"),
            ],
        )
    )
    rules = alt.Chart(known).mark_rule(color=NEUTRAL, strokeDash=[4, 3])
    across, up = rules.encode(y=alt.datum(0.5)), rules.encode(x=alt.datum(50))
    return Figure(
        "against-statistics",
        f"The models' {names['first']} share against the {names['statistic']}",
        alt.layer(across, up, points).properties(width=420, height=320),
        f"Each point is one {names['one']} at one model (base prompts, {reach}): how much of what falls on words of "
        f"either group falls on {names['first']} ones. A rising cloud follows the statistics, a level one does not.",
        _scatter_alt(known, names),
    )


def _group_scale(names: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=[names["first"], names["second"]], range=_GROUP_COLOURS)


def _panels_alt(kinds: pl.DataFrame, names: dict[str, str], reach: str) -> str:
    base = kinds.filter(pl.col("kind") == "base")
    said = [f"{row['model']} {row['group']} {row['value']:.3f}" for row in base.iter_rows(named=True)]
    panels = kinds["kind"].n_unique()
    return (
        f"{panels} panels of bars of {names['first']} and {names['second']} words ({reach}). Base: {', '.join(said)}."
    )


def _moves_alt(moved: pl.DataFrame, model: str, names: dict[str, str]) -> str:
    crossed = moved.filter(pl.col("before") * pl.col("margin") < 0).height
    lines = f"{moved['kind'].n_unique()} panels with a line for each of {moved['item'].n_unique()} {names['many']}"
    return f"{lines} asked of {model}; {crossed} of {moved.height} lines cross from one group to the other."


def _scatter_alt(known: pl.DataFrame, names: dict[str, str]) -> str:
    ranges = known.group_by("model", maintain_order=True).agg(
        pl.len().alias("n"), pl.min("first_share").alias("least"), pl.max("first_share").alias("most")
    )
    said = [
        f"{model}: {n} {names['many']}, shares from {least:.2f} to {most:.2f}"
        for model, n, least, most in ranges.rows()
    ]
    return f"Scatter of the models' {names['first']} share against the {names['statistic']}. {'; '.join(said)}."


def _joined(runs: Mapping[str, Tables], table: str) -> pl.DataFrame:
    return pl.concat([tables[table].with_columns(model=pl.lit(model)) for model, tables in runs.items()])
