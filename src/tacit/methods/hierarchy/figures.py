"""The figures of HERB: the tree with its intervals, the controls, and the names in the model's own space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.hierarchy.controls import TEMPLATE, TOKENS
from tacit.methods.hierarchy.headline import C_W, C_Z, PLAIN, SIGNIFICANT
from tacit.methods.hierarchy.name_figures import name_figures
from tacit.methods.hierarchy.studies import PARAPHRASED, REPLACED, WITHOUT_TOPIC
from tacit.methods.hierarchy.world_map import map_figures
from tacit.methods.hierarchy.zoom_map import zoom_figure

__all__ = ["figures"]

_PER_END = 3
_TREE_TITLE = "how differently the parts are described (C_w)"
_INDENT = "\u200b\u2003"  # the zero-width space keeps the em space from being trimmed off a label
_LEFT = alt.Axis(labelLimit=260, labelAlign="left", labelPadding=190, ticks=False)
_TITLES = {WITHOUT_TOPIC: "Without one topic", REPLACED: "With words replaced", PARAPHRASED: "With paraphrases"}
_CAPTIONS = {
    WITHOUT_TOPIC: "C_w without the words of one topic (Table 3).",
    REPLACED: "C_w with the words of one topic replaced (Table 6), on the upper levels of the tree.",
    PARAPHRASED: "C_w with paraphrased templates, on the upper levels of the tree.",
}
_READING = (
    "Color: the change in percent from all words and the first template; bold if other words of the same kind would "
    "change it in the same direction (p < .05, corrected for all cells of the study)."
)


def figures(tables: Mapping[str, Tables]) -> list[Figure]:
    """All figures that the tables allow.

    Args:
        tables: The tables of each model, by the model's name.
    """
    return [
        _tree_figure(tables),
        _controls_figure(tables),
        *map_figures(tables),
        *zoom_figure(tables),
        *_study_figures(tables),
        *name_figures(tables),
    ]


@dataclass(frozen=True)
class _TreeRow:
    """One row of the tree figure; the region is empty for the whole, and the weight scales the dot."""

    label: str
    region: str
    weight: int


def _tree_figure(runs: Mapping[str, Tables]) -> Figure:
    rows = list(_tree_rows(next(iter(runs.values()))))
    values = [value for model, tables in runs.items() for value in _tree_values(model, tables, rows)]
    base = alt.Chart(pl.DataFrame(values, infer_schema_length=None)).encode(
        y=alt.Y("label:N", sort=[row.label for row in rows], title=None, axis=_LEFT),
        yOffset=alt.YOffset("model:N", sort=list(runs)),
        color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
    )
    numbers = [alt.Tooltip(f"{name}:Q", format=".4g") for name in ("c_w", "low", "high")]
    dots = base.mark_point(filled=True, opacity=1).encode(
        x=alt.X("c_w:Q", title=_TREE_TITLE, scale=alt.Scale(zero=True)),
        size=alt.Size("weight:Q", legend=None, scale=alt.Scale(domain=[0, 2], range=[25, 110])),
        tooltip=["model", "region", *numbers, alt.Tooltip("children:Q", title="parts")],
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=_TREE_TITLE), x2="high:Q")
    return Figure(
        name="hierarchy-tree",
        title="How differently the parts of each region are described",
        chart=(bars + dots).properties(width=430, height=len(rows) * (10 + 6 * len(runs))),
        caption="C_w of the whole, of each top region and, indented, of its parts with the highest and lowest values "
        "(those of the first model, if there are several). 0 means that all parts are described alike. Bars are "
        "intervals over words of the same kind.",
        alt=_tree_alt(runs),
    )


def _tree_rows(tables: Tables) -> Iterator[_TreeRow]:
    """The whole, and each top region with the highest and lowest of its parts."""
    regions, ranking = tables["regions"], tables["ranking"]
    yield _TreeRow(_whole(tables)["group"], "", 2)
    depth = int(regions.filter(pl.col("name") == pl.col("top"))["depth"].to_list()[0])
    tops = regions.filter(pl.col("depth") == depth)
    for heading, top in zip(ranking["group"], tops.iter_rows(named=True), strict=True):
        yield _TreeRow(f"{_INDENT}{heading}", top["region"], 1)
        parts = regions.filter((pl.col("top") == top["name"]) & (pl.col("depth") == depth + 1))
        ranked = parts.drop_nulls("c_w").sort("c_w", descending=True)
        if len(ranked) > 2 * _PER_END:
            ranked = pl.concat([ranked.head(_PER_END), ranked.tail(_PER_END)])
        for part in ranked.iter_rows(named=True):
            yield _TreeRow(f"{_INDENT * 2}{part['name']}", part["region"], 0)


def _tree_values(model: str, tables: Tables, rows: list[_TreeRow]) -> Iterator[dict[str, Any]]:
    regions = {region["region"]: region for region in tables["regions"].iter_rows(named=True)}
    whole = _whole(tables)
    regions[""] = {"c_w": whole["value"], "low": whole["low"], "high": whole["high"], "children": None}
    for row in rows:
        region = regions.get(row.region)
        if region is not None:
            values = {name: region[name] for name in ("c_w", "low", "high", "children")}
            names = {"model": model, "label": row.label, "region": row.region or row.label}
            yield {**names, "weight": row.weight, **values}


def _whole(tables: Tables) -> dict[str, Any]:
    return tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)


def _tree_alt(runs: Mapping[str, Tables]) -> str:
    sentences = []
    for model, tables in runs.items():
        ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
        values = "; ".join(f"{row['group']} {row['c_w']:.3g}" for row in ranking.iter_rows(named=True))
        sentences.append(f"{model}: {values}.")
    return " ".join(["Dot plot of C_w, highest first.", *sentences])


def _controls_figure(runs: Mapping[str, Tables]) -> Figure:
    named = [tables["measures"].with_columns(model=pl.lit(model)) for model, tables in runs.items()]
    rows = pl.concat(named).filter(pl.col("item").is_null())
    measures = [measure for measure in (C_W, C_Z, PLAIN, TOKENS, TEMPLATE) if measure in rows["measure"]]
    groups = rows.filter(pl.col("measure").is_in(measures))["group"].unique(maintain_order=True).to_list()
    panels = [
        _control_panel(rows.filter(pl.col("measure") == measure), measure, groups, list(runs)) for measure in measures
    ]
    return Figure(
        name="hierarchy-controls",
        title="C_w and its controls",
        chart=alt.concat(*panels, columns=3, spacing=24),
        caption="The same regions under C_w; C_z, which weighs regions by how likely their names are; plain "
        "sparseness, which ignores the hierarchy; and C_w after removing the effect of the number of tokens in a name, "
        "or the score of the template without a region. Compare the order of the regions, not values across panels: "
        "each panel has its own scale.",
        alt=f"Dot plots with intervals, one panel per measure and one row per region: {', '.join(measures)}.",
    )


def _control_panel(rows: pl.DataFrame, title: str, groups: list[str], models: list[str]) -> alt.LayerChart:
    base = alt.Chart(rows.select("model", "group", "value", "low", "high")).encode(
        y=alt.Y("group:N", sort=groups, title=None),
        yOffset=alt.YOffset("model:N", sort=models),
        color=alt.Color("model:N", scale=model_scale(models), title=None),
    )
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=alt.X("value:Q", title=None, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4)),
        tooltip=["model", "group", *(alt.Tooltip(f"{name}:Q", format=".4g") for name in ("value", "low", "high"))],
    )
    bars = base.mark_rule().encode(x="low:Q", x2="high:Q")
    return (bars + dots).properties(width=150, height=alt.Step(16), title=title)


def _study_figures(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """One figure for each study that was run."""
    rows = pl.concat([tables["studies"].with_columns(model=pl.lit(model)) for model, tables in runs.items()])
    for study, caption in _CAPTIONS.items():
        cells = rows.filter(pl.col("study") == study).drop_nulls("value")
        if len(cells):
            yield Figure(
                name=f"hierarchy-{study.replace(' ', '-')}",
                title=_TITLES[study],
                chart=_study_panels(cells, list(runs)),
                caption=f"{caption} {_READING}",
                alt=_study_alt(cells),
            )


def _study_panels(rows: pl.DataFrame, models: list[str]) -> alt.VConcatChart:
    cells = rows.with_columns(
        percent=100 * pl.col("change") / pl.col("full"),
        clear=(pl.col("p_adjusted") < SIGNIFICANT).fill_null(False),
    )
    percents = cells["percent"].drop_nulls()
    limit = max(10.0, *percents.filter(percents.is_finite()).abs())
    cells = cells.with_columns(dark=pl.col("percent").abs() > 0.6 * limit)
    scale = alt.Scale(scheme="blueorange", domain=[-limit, 0, limit])
    return alt.vconcat(*(_study_panel(cells.filter(pl.col("model") == model), model, scale) for model in models))


def _study_panel(cells: pl.DataFrame, model: str, scale: alt.Scale) -> alt.LayerChart:
    groups, variants = (cells[name].unique(maintain_order=True).to_list() for name in ("group", "variant"))
    numbers = ("full", "value", "change", "change_low", "change_high")
    base = alt.Chart(cells).encode(
        x=alt.X("group:N", sort=groups, title=None, axis=alt.Axis(labelAngle=-30, orient="top")),
        y=alt.Y("variant:N", sort=variants, title=None, axis=alt.Axis(labelLimit=240)),
        tooltip=["variant", "group", *(alt.Tooltip(f"{name}:Q", format=".4g") for name in numbers)],
    )
    color = alt.Color("percent:Q", scale=scale, title="change in %", legend=alt.Legend(orient="bottom"))
    text = alt.Text("value:Q", format=".3g")
    text_color = alt.condition("datum.dark", alt.value("white"), alt.value("black"))
    bold = base.transform_filter("datum.clear").mark_text(fontWeight="bold").encode(text=text, color=text_color)
    plain = base.transform_filter("!datum.clear").mark_text().encode(text=text, color=text_color)
    return (base.mark_rect().encode(color=color) + plain + bold).properties(
        width=alt.Step(84), height=alt.Step(24), title=model
    )


def _study_alt(rows: pl.DataFrame) -> str:
    overall = rows.group_by("model", "variant", maintain_order=True).last()
    values = [
        f"{row['model']}, {row['variant']}: {row['value']:.3g} instead of {row['full']:.3g}"
        for row in overall.iter_rows(named=True)
    ]
    return f"Table of C_w by variant and region. Overall: {'; '.join(values)}."
