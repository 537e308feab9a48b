"""Charts: the paper's panels, how knowledge moves each item, and the model against the statistics."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from tacit.figure import FIRST_GROUP, NEUTRAL, SECOND_GROUP, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE
from tacit.storage import slug

__all__ = ["figures"]

_GROUP_COLORS = [FIRST_GROUP, SECOND_GROUP]
_EXPECTED = {"expected: raised": " ↑", "expected: lowered": " ↓"}
_WITH_KNOWLEDGE = "with knowledge"


def figures(tables: Mapping[str, Tables]) -> list[Figure]:
    """The stereotype by kind of knowledge, the panels of each reach, the moves of each model, and a scatter plot.

    Args:
        tables: The tables of each model, by its label.
    """
    kinds, items, models = _stacked(tables, "kinds"), _stacked(tables, "items"), list(tables)
    names = dict(tables[models[0]]["names"].iter_rows())
    reaches = items["reach"].unique(maintain_order=True)
    widest = items.filter(pl.col("reach") == reaches[0])
    panels = [_panels(kinds.filter(pl.col("reach") == reach), reach, names, models) for reach in reaches]
    moves = [_moves(widest.filter(pl.col("model") == model), model, reaches[0], names) for model in models]
    panels = [_stereotypes(_stacked(tables, "measures"), reaches[0], names, models), *panels]
    if widest["share"].null_count() == widest.height:
        return panels + moves
    return [*panels, *moves, _scatter(widest.filter(pl.col("kind") == BASE), reaches[0], names, models)]


def _stereotypes(measures: pl.DataFrame, reach: str, names: dict[str, str], models: list[str]) -> Figure:
    whole = measures.filter(pl.col("item").is_null())
    expected = whole.filter(pl.col("measure") == f"effect on the stereotype, {reach}")
    arrows = {row["group"]: _EXPECTED.get(row["note"] or "", "") for row in expected.iter_rows(named=True)}
    rows = whole.filter(pl.col("measure") == f"stereotype, {reach}").select("model", "group", "value", "low", "high")
    labels = [{BASE: "no knowledge"}.get(kind, f"{kind}{arrows.get(kind, '')}") for kind in rows["group"]]
    base = alt.Chart(rows.with_columns(kind=pl.Series(labels))).encode(
        y=alt.Y("kind:N", sort=list(dict.fromkeys(labels)), title=None, axis=alt.Axis(labelLimit=260)),
        yOffset=alt.YOffset("model:N", sort=models),
        color=alt.Color("model:N", scale=model_scale(models), title=None),
        tooltip=["model", "kind", *(alt.Tooltip(name, format=".4f") for name in ("value", "low", "high"))],
    )
    title = "how much likelier the stereotypical words are"
    points = base.mark_circle(size=60, opacity=1).encode(x=alt.X("value:Q", title=title))
    intervals = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title), x2="high:Q")
    zero = alt.Chart(rows).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0))
    height = len(arrows) * (14 + 8 * len(models))
    return Figure(
        "stereotype-by-knowledge",
        "What one sentence of knowledge does to the stereotype",
        alt.layer(zero, intervals, points).properties(width=460, height=max(height, 60)),
        f"The mean over all {names['many']} of the probability of stereotypical words minus that of their opposites "
        f"({reach}), with intervals; the dashed zero means no stereotype. The first row is without knowledge; an arrow "
        f"says where the study expects the knowledge to push the stereotype.",
        _stereotypes_alt(rows, models),
    )


def _stereotypes_alt(rows: pl.DataFrame, models: list[str]) -> str:
    parts = []
    for model in models:
        own = rows.filter((pl.col("model") == model) & pl.col("value").is_not_null())
        values = ", ".join(f"{row['group']} {row['value']:.3f}" for row in own.iter_rows(named=True))
        parts.append(f"{model}: {values}")
    return f"Dot plot of the stereotype by kind of knowledge, with intervals. {'; '.join(parts)}."


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
