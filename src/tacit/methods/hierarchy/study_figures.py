"""HERB's studies as tables with colored cells: one row per variant, one column per top region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import altair as alt
import polars as pl

from tacit.figure import Figure
from tacit.methods.base import Tables
from tacit.methods.hierarchy.studies import PARAPHRASED, REPLACED, WITHOUT_TOPIC

__all__ = ["study_figures"]

_TITLES = {WITHOUT_TOPIC: "Without one topic", REPLACED: "With words replaced", PARAPHRASED: "With paraphrases"}
_CAPTIONS = {
    WITHOUT_TOPIC: "C_w without the words of one topic (Table 3).",
    REPLACED: "C_w with the words of one topic replaced (Table 6), on the upper levels of the tree.",
    PARAPHRASED: "C_w with paraphrased templates, on the upper levels of the tree.",
}
_READING = (
    "Color: the change in percent from all words and the first template; bold if the interval of the change, from "
    "resampling the words, excludes 0 (not corrected for the number of cells)."
)


def study_figures(runs: Mapping[str, Tables]) -> Iterator[Figure]:
    """One figure for each study that was run."""
    rows = pl.concat([tables["studies"].with_columns(model=pl.lit(model)) for model, tables in runs.items()])
    for study, caption in _CAPTIONS.items():
        cells = rows.filter(pl.col("study") == study).drop_nulls("value")
        if len(cells):
            yield Figure(
                name=f"hierarchy-{study.replace(' ', '-')}",
                title=_TITLES[study],
                chart=_panels(cells, list(runs)),
                caption=f"{caption} {_READING}",
                alt=_alt(cells),
            )


def _panels(rows: pl.DataFrame, models: list[str]) -> alt.VConcatChart:
    cells = rows.with_columns(
        percent=100 * pl.col("change") / pl.col("full"),
        clear=(pl.col("change_low") > 0) | (pl.col("change_high") < 0),
    )
    percents = cells["percent"].drop_nulls()
    limit = max(10.0, *percents.filter(percents.is_finite()).abs())
    cells = cells.with_columns(dark=pl.col("percent").abs() > 0.6 * limit)
    scale = alt.Scale(scheme="blueorange", domain=[-limit, 0, limit])
    return alt.vconcat(*(_panel(cells.filter(pl.col("model") == model), model, scale) for model in models))


def _panel(cells: pl.DataFrame, model: str, scale: alt.Scale) -> alt.LayerChart:
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


def _alt(rows: pl.DataFrame) -> str:
    overall = rows.group_by("model", "variant", maintain_order=True).last()
    values = [
        f"{row['model']}, {row['variant']}: {row['value']:.3g} instead of {row['full']:.3g}"
        for row in overall.iter_rows(named=True)
    ]
    return f"Table of C_w by variant and region. Overall: {'; '.join(values)}."
