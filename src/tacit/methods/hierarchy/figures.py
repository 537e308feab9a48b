"""The figures of HERB: the tree with its intervals, the controls beside the headline, maps, the studies, the names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import altair as alt
import polars as pl

from tacit.figure import INK, NEUTRAL, Figure, model_scale
from tacit.methods.base import Tables
from tacit.methods.hierarchy.measures import C_W, C_Z, PLAIN, TEMPLATE, TOKENS
from tacit.methods.hierarchy.world_map import drawn_codes, world_map

__all__ = ["figures"]

_EACH_END = 3
_INDENT = "\u200b\u2003"  # the zero-width space keeps the em space from being trimmed off a label
_LEFT = alt.Axis(labelLimit=260, labelAlign="left", labelPadding=190, ticks=False)
_MAPPED = 30


def figures(runs: Mapping[str, Tables]) -> list[Figure]:
    """All figures that the tables can fill."""
    return [_tree(runs), _controls(runs), *_maps(runs), *_studies(runs), *_space(runs)]


def _tree(runs: Mapping[str, Tables]) -> Figure:
    shown = list(_shown(next(iter(runs.values()))))
    rows = [row for model, tables in runs.items() for row in _tree_rows(model, tables, shown)]
    base = alt.Chart(pl.DataFrame(rows, infer_schema_length=None)).encode(
        y=alt.Y("label:N", sort=[label for label, _, _ in shown], title=None, axis=_LEFT),
        yOffset=alt.YOffset("model:N", sort=list(runs)),
        color=alt.Color("model:N", scale=model_scale(list(runs)), title=None),
    )
    size = alt.Size("weight:Q", legend=None, scale=alt.Scale(domain=[0, 2], range=[25, 110]))
    values = [alt.Tooltip(f"{name}:Q", format=".4g") for name in ("c_w", "low", "high")]
    dots = base.mark_point(filled=True, opacity=1).encode(
        x=alt.X("c_w:Q", title="C_w", scale=alt.Scale(zero=True)),
        size=size,
        tooltip=["model", "region", *values, alt.Tooltip("children:Q", title="parts")],
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q")
    return Figure(
        name="hierarchy-tree",
        title="How unevenly each region's parts are judged",
        chart=(bars + dots).properties(width=430, height=len(shown) * (10 + 6 * len(runs))),
        caption="C_w of the whole, of each top region and, indented, of its most and least unevenly judged parts (the "
        "first model's, where there are several); 0 means that the parts are judged alike. Bars: the words drawn anew.",
        alt=_tree_alt(runs),
    )


def _shown(tables: Tables) -> Iterator[tuple[str, str, int]]:
    """The label, the region and the weight of each row: the whole, the top regions, both ends of their parts."""
    regions, ranking = tables["regions"], tables["ranking"]
    yield _whole(tables)["group"], "", 2
    depth = int(regions.filter(pl.col("name") == pl.col("top"))["depth"].to_list()[0])
    tops = regions.filter(pl.col("depth") == depth)
    for heading, top in zip(ranking["group"], tops.iter_rows(named=True), strict=True):
        yield f"{_INDENT}{heading}", top["region"], 1
        under = regions.filter((pl.col("top") == top["name"]) & (pl.col("depth") > depth))
        ranked = under.filter(pl.col("depth") == depth + 1).drop_nulls("c_w").sort("c_w", descending=True)
        ends = ranked if len(ranked) <= 2 * _EACH_END else pl.concat([ranked.head(_EACH_END), ranked.tail(_EACH_END)])
        for part in ends.iter_rows(named=True):
            yield f"{_INDENT * 2}{part['name']}", part["region"], 0


def _tree_rows(model: str, tables: Tables, shown: list[tuple[str, str, int]]) -> Iterator[dict[str, Any]]:
    known = {row["region"]: row for row in tables["regions"].iter_rows(named=True)}
    whole = _whole(tables)
    known[""] = {"c_w": whole["value"], "low": whole["low"], "high": whole["high"], "children": None}
    for label, region, weight in shown:
        row = known.get(region)
        if row is not None:
            values = {name: row[name] for name in ("c_w", "low", "high", "children")}
            yield {"model": model, "label": label, "region": region or label, "weight": weight, **values}


def _whole(tables: Tables) -> dict[str, Any]:
    return tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)


def _tree_alt(runs: Mapping[str, Tables]) -> str:
    said = []
    for model, tables in runs.items():
        ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
        values = "; ".join(f"{row['group']} {row['c_w']:.3g}" for row in ranking.iter_rows(named=True))
        said.append(f"{model}: {values}")
    return "Dot plot of C_w, highest first. " + ". ".join(said) + "."


def _controls(runs: Mapping[str, Tables]) -> Figure:
    wanted = [C_W, C_Z, PLAIN, TOKENS, TEMPLATE]
    parts = [t["measures"].with_columns(model=pl.lit(m)) for m, t in runs.items()]
    rows = pl.concat(parts).filter(pl.col("measure").is_in(wanted) & pl.col("item").is_null())
    groups = rows["group"].unique(maintain_order=True).to_list()
    panels = [
        _panel(rows.filter(pl.col("measure") == name), name, groups, list(runs))
        for name in wanted
        if name in rows["measure"]
    ]
    return Figure(
        name="hierarchy-controls",
        title="The headline beside its controls",
        chart=alt.concat(*panels, columns=3, spacing=24),
        caption="The same regions under C_w, its variant weighed by the names (C_z), the plain sparseness without a "
        "hierarchy, and C_w after the number of tokens in a name, or the template without a region, is taken out. Read "
        "the order of the regions, not the height across panels: each has its own scale.",
        alt="Small panels of dots with intervals, one panel a measure, one row a region: "
        + ", ".join(name for name in wanted if name in rows["measure"])
        + ".",
    )


def _panel(rows: pl.DataFrame, title: str, groups: list[str], models: list[str]) -> alt.LayerChart:
    base = alt.Chart(rows.select("model", "group", "value", "low", "high")).encode(
        y=alt.Y("group:N", sort=groups, title=None),
        yOffset=alt.YOffset("model:N", sort=models),
        color=alt.Color("model:N", scale=model_scale(models), title=None),
    )
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=alt.X("value:Q", title=None, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4)),
        tooltip=["model", "group", *(alt.Tooltip(f"{name}:Q", format=".4g") for name in ("value", "low", "high"))],
    )
    return (base.mark_rule().encode(x="low:Q", x2="high:Q") + dots).properties(
        width=150, height=alt.Step(16), title=title
    )


def _maps(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """Only where at least some dozens of regions bear the code of a country."""
    first = next(iter(runs.values()))["regions"]
    places = first.filter(pl.col("code").is_in(list(drawn_codes())) & (pl.col("depth") > 0))
    if len(places) < _MAPPED:
        return
    word, level = first["word"][0], places["depth"][0]
    yield Figure(
        name="hierarchy-map-c",
        title="C_w of each country",
        chart=_map(runs, "c_w", level, "C_w", alt.Scale(scheme="viridis")),
        caption="How unevenly the parts of each country are judged. Hatched: no value, as the country has fewer than "
        "two sub-regions in the tree or is not in it. Dots: countries too small to see.",
        alt=_map_alt(runs, "c_w", level, "C_w"),
    )
    yield Figure(
        name="hierarchy-map-word",
        title=f"“People in … are {word}.”",
        chart=_map(runs, "word_score", level, f"log-likelihood with “{word}”", alt.Scale(scheme="cividis")),
        caption=f"The mean log-likelihood per token of the sentence with “{word}” in each country (the study's "
        "Figure 1). Long and rare names lower it whatever the word; choose another word with --set word=…",
        alt=_map_alt(runs, "word_score", level, f"the log-likelihood with {word}"),
    )


def _map(runs: Mapping[str, Tables], column: str, level: Any, title: str, scale: alt.Scale) -> alt.VConcatChart:
    charts = []
    for model, tables in runs.items():
        rows = tables["regions"].filter(pl.col("depth") == level).select("code", "name", value=pl.col(column))
        charts.append(world_map(rows.to_dicts(), model, title, scale))
    return alt.vconcat(*charts)


def _map_alt(runs: Mapping[str, Tables], column: str, level: Any, what: str) -> str:
    said = []
    for model, tables in runs.items():
        ranked = tables["regions"].filter(pl.col("depth") == level).drop_nulls(column).sort(column, descending=True)
        high, low = ", ".join(ranked["name"].head(3)), ", ".join(ranked["name"].tail(3))
        said.append(f"{model}: highest in {high}; lowest in {low}")
    return f"World map of {what}. " + ". ".join(said) + "."


def _studies(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    rows = pl.concat([tables["studies"].with_columns(model=pl.lit(model)) for model, tables in runs.items()])
    captions = {
        "topic left out": "C_w without the words of one topic (Table 3).",
        "words replaced": "C_w with the words of one topic replaced (Table 6), on the upper levels of the tree.",
        "template": "C_w under paraphrased templates, on the upper levels of the tree.",
    }
    for study, caption in captions.items():
        found = rows.filter(pl.col("study") == study).drop_nulls("value")
        if len(found):
            yield Figure(
                name=f"hierarchy-{study.replace(' ', '-')}",
                title={"template": "Template paraphrased"}.get(study, study.capitalize()),
                chart=_cells(found, list(runs)),
                caption=caption
                + " Colour: the change from the full list or the first template, in percent; bold where its "
                "interval over redrawn words leaves out 0.",
                alt=_study_alt(found),
            )


def _cells(rows: pl.DataFrame, models: list[str]) -> alt.VConcatChart:
    shown = rows.with_columns(
        percent=100 * pl.col("change") / pl.col("full"),
        sure=(pl.col("change_low") > 0) | (pl.col("change_high") < 0),
    )
    reach = max(10.0, float(shown["percent"].abs().max() or 0.0))  # type: ignore[arg-type]
    scale = alt.Scale(scheme="blueorange", domain=[-reach, 0, reach])
    shown = shown.with_columns(dark=pl.col("percent").abs() > 0.6 * reach)
    return alt.vconcat(*(_cell_panel(shown.filter(pl.col("model") == model), model, scale) for model in models))


def _cell_panel(rows: pl.DataFrame, model: str, scale: alt.Scale) -> alt.LayerChart:
    groups, variants = (rows[name].unique(maintain_order=True).to_list() for name in ("group", "variant"))
    base = alt.Chart(rows).encode(
        x=alt.X("group:N", sort=groups, title=None, axis=alt.Axis(labelAngle=-30, orient="top")),
        y=alt.Y("variant:N", sort=variants, title=None, axis=alt.Axis(labelLimit=240)),
        tooltip=[
            "variant",
            "group",
            *(alt.Tooltip(f"{n}:Q", format=".4g") for n in ("full", "value", "change", "change_low", "change_high")),
        ],
    )
    colour = alt.Color("percent:Q", scale=scale, title="change in %", legend=alt.Legend(orient="bottom"))
    value = alt.Text("value:Q", format=".3g")
    ink = alt.condition("datum.dark", alt.value("white"), alt.value("black"))
    sure = base.transform_filter("datum.sure").mark_text(fontWeight="bold").encode(text=value, color=ink)
    unsure = base.transform_filter("!datum.sure").mark_text().encode(text=value, color=ink)
    cells = base.mark_rect().encode(color=colour)
    return (cells + unsure + sure).properties(width=alt.Step(84), height=alt.Step(24), title=model)


def _study_alt(rows: pl.DataFrame) -> str:
    whole = rows.group_by("model", "variant", maintain_order=True).last()
    said = [
        f"{row['model']}, {row['variant']}: {row['value']:.3g} instead of {row['full']:.3g}"
        for row in whole.iter_rows(named=True)
    ]
    return "Table of C_w by variant and region. Overall: " + "; ".join(said) + "."


def _space(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    filled = {model: tables["space"] for model, tables in runs.items() if len(tables["space"])}
    if not filled:
        return
    made = next(iter(filled.values()))["made"][0]
    tops = next(iter(filled.values()))["top"].unique(maintain_order=True).to_list()
    panels = [
        alt.Chart(rows, title=model)
        .mark_point(filled=True, size=36, opacity=0.85, stroke=INK, strokeWidth=0.3)
        .encode(
            x=alt.X("x:Q", title=None, axis=None, scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(zero=False)),
            color=alt.Color("top:N", scale=model_scale(tops), title=None),
            shape=alt.Shape("top:N", scale=alt.Scale(domain=tops), title=None),
            tooltip=["name", "top"],
        )
        .properties(width=300, height=260)
        for model, rows in filled.items()
    ]
    yield Figure(
        name="hierarchy-names",
        title="The regions' names in the model's own space",
        chart=alt.concat(*panels, columns=2).configure_view(stroke=NEUTRAL),
        caption=f"Each point is the contextual vector of a region's bare name (section 4.3), laid flat by {made}; near "
        "points are similar to the model, the axes mean nothing. Names of one part of the world are often alike in "
        "spelling too.",
        alt=f"Scatter of {sum(map(len, filled.values()))} names, coloured by {', '.join(tops)}.",
    )
