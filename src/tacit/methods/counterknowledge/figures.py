"""Charts: the paper's panels, how knowledge moves each item, and the model against the statistics."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import FIRST_GROUP, NEUTRAL, SECOND_GROUP, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.verdicts import PRO_SHARE
from tacit.storage import slug

__all__ = ["figures"]

_GROUP_COLORS = [FIRST_GROUP, SECOND_GROUP]
_WITH_KNOWLEDGE = "with knowledge"


def figures(tables: Mapping[str, Tables]) -> list[Figure]:
    """The headline shares, the panels of each reach, the moves of each model, and a scatter plot of the statistic.

    Args:
        tables: The tables of each model, by its label.
    """
    kinds, items, models = _stacked(tables, "kinds"), _stacked(tables, "items"), list(tables)
    names = dict(tables[models[0]]["names"].iter_rows())
    reaches = items["reach"].unique(maintain_order=True)
    widest = items.filter(pl.col("reach") == reaches[0])
    shares = _shares(_stacked(tables, "measures"), kinds, reaches[0], names, models)
    panels = [_panels(kinds.filter(pl.col("reach") == reach), reach, names, models) for reach in reaches]
    moves = [_moves(widest.filter(pl.col("model") == model), model, reaches[0], names) for model in models]
    if widest["share"].null_count() == widest.height:
        return shares + panels + moves
    return [*shares, *panels, *moves, _scatter(widest.filter(pl.col("kind") == BASE), reaches[0], names, models)]


def _shares(
    measures: pl.DataFrame, kinds: pl.DataFrame, reach: str, names: dict[str, str], models: list[str]
) -> list[Figure]:
    """The figure, or none if no prompt has a word of either group."""
    order = kinds.sort("position")["kind"].unique(maintain_order=True).to_list()
    rows = measures.filter(pl.col("measure") == f"{PRO_SHARE}, {reach}", pl.col("item").is_null()).drop_nulls("value")
    if rows.is_empty():
        return []
    shown = rows.select("model", "value", "low", "high", "n", "verdict", "caution", kind="group")
    tooltip = ["model", "kind", *(alt.Tooltip(name, format=".3f") for name in ("value", "low", "high")), "n", "caution"]
    base = alt.Chart(shown).encode(
        y=alt.Y("kind:N", sort=order, title=None, axis=alt.Axis(labelLimit=260)),
        yOffset=alt.YOffset("model:N", sort=models),
        color=alt.Color("model:N", scale=model_scale(models), title="model"),
        tooltip=tooltip,
    )
    scale, axis = alt.Scale(zero=False), alt.Axis(format="%")
    points = base.mark_circle(size=60).encode(x=alt.X("value:Q", title=PRO_SHARE, scale=scale, axis=axis))
    intervals = base.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q")
    half = alt.Chart(shown).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0.5))
    values = "; ".join(
        f"{row['model']} {row['value']:.1%}" for row in shown.filter(pl.col("kind") == BASE).iter_rows(named=True)
    )
    figure = Figure(
        "pro-stereotypical-share",
        f"How much of the probability is on the group that dominates the {names['one']} ({reach})",
        alt.layer(half, intervals, points).properties(width=420, height=(16 + 8 * len(models)) * len(order)),
        f"Of the probability on {names['first']} and {names['second']} words, the share of the group that dominates "
        f"the {names['one']}, by kind of prompt, with its confidence interval. The dashed line at 50% is no "
        f"preference; the first row is without knowledge.",
        f"Dot chart of the {PRO_SHARE} for {len(order)} kinds of prompt. Without knowledge: {values}.",
    )
    return [figure]


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
    # Vega complains of an axis without a single number.
    layers = [bars] if kinds["low"].null_count() == kinds.height else [bars, intervals]
    chart = alt.layer(*layers).properties(width=130, height=34 * len(models))
    return Figure(
        f"panels-{slug(reach)}",
        f"{first.capitalize()} and {second} words by kind of knowledge ({reach})",
        chart.facet(alt.Facet("kind:N", sort=order, title=None), columns=5),
        f"Each panel is a kind of prompt; the first is without knowledge. Bars show the mean probability of {first} "
        f"and {second} words ({reach}) over all {names['many']}, lines the confidence intervals. Two bars of equal "
        f"length mean no preference.",
        _panels_alt(kinds, names, reach),
    )


def _moves(items: pl.DataFrame, model: str, reach: str, names: dict[str, str]) -> Figure:
    first, second = names["first"], names["second"]
    base = items.filter(pl.col("kind") == BASE).select("item", before="margin")
    moved = items.filter(pl.col("kind") != BASE).join(base, on="item", maintain_order="left")
    order = moved.sort("position")["kind"].unique(maintain_order=True).to_list()
    ends = pl.concat(
        [
            moved.with_columns(point=pl.lit(BASE), y="before"),
            moved.with_columns(point=pl.lit(_WITH_KNOWLEDGE), y="margin"),
        ]
    ).select("item", "kind", "dominant", "share", "before", "margin", "point", "y")
    lines = (
        alt.Chart(ends)
        .mark_line(opacity=0.55, strokeWidth=1.2, point=alt.OverlayMarkDef(size=12))
        .encode(
            x=alt.X("point:N", sort=[BASE, _WITH_KNOWLEDGE], title=None, axis=alt.Axis(labelAngle=0)),
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
        f"How knowledge moves each {names['one']}: {model}",
        chart.facet(alt.Facet("kind:N", sort=order, title=None), columns=5),
        f"Each line is one {names['one']}: its margin without knowledge (left) and with it (right), where margin is "
        f"the probability of {first} minus {second} words ({reach}). A line that ends at the dashed zero has lost its "
        f"preference, one that crosses zero has reversed it, and a flat one has not moved.",
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
        f"The model's {names['first']} share against the {names['statistic']}",
        alt.layer(across, up, points).properties(width=420, height=320),
        f"Each point is one {names['one']} in one model (base prompts, {reach}): the {names['first']} share of the "
        f"probability of both groups' words. A rising cloud follows the statistics, a flat one does not.",
        _scatter_alt(known, names),
    )


def _group_scale(names: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=[names["first"], names["second"]], range=_GROUP_COLORS)


def _panels_alt(kinds: pl.DataFrame, names: dict[str, str], reach: str) -> str:
    base = kinds.filter(pl.col("kind") == BASE)
    values = ", ".join(f"{row['model']} {row['group']} {row['value']:.3f}" for row in base.iter_rows(named=True))
    groups = f"{names['first']} and {names['second']} words ({reach})"
    return f"Bar charts in {kinds['kind'].n_unique()} panels: probability of {groups}. Without knowledge: {values}."


def _moves_alt(moved: pl.DataFrame, model: str, names: dict[str, str]) -> str:
    crossed = moved.filter(pl.col("before") * pl.col("margin") < 0).height
    lines = f"{moved['kind'].n_unique()} panels with one line for each of {moved['item'].n_unique()} {names['many']}"
    return f"{lines} ({model}); {crossed} of {moved.height} lines cross from one group to the other."


def _scatter_alt(known: pl.DataFrame, names: dict[str, str]) -> str:
    ranges = known.group_by("model", maintain_order=True).agg(
        pl.len().alias("n"), pl.min("first_share").alias("least"), pl.max("first_share").alias("most")
    )
    shares = "; ".join(
        f"{model}: {n} {names['many']}, shares from {least:.2f} to {most:.2f}"
        for model, n, least, most in ranges.rows()
    )
    return f"Scatter plot of the model's {names['first']} share against the {names['statistic']}. {shares}."


def _stacked(tables: Mapping[str, Tables], name: str) -> pl.DataFrame:
    """One table of all models, with a column that names the model."""
    return pl.concat([of_model[name].with_columns(model=pl.lit(model)) for model, of_model in tables.items()])
