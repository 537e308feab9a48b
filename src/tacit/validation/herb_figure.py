"""HERB's own plant (Figure 5 of the study): the score after each epoch, on Earth and on each continent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import polars as pl

from tacit.figure import INK, NEUTRAL, POSITIVE, Figure
from tacit.tables import finite_number, read_csv

__all__ = ["EARTH", "HERB_FILE", "HerbRow", "herb_figure", "read_herb"]

HERB_FILE = "herb-plant.csv"
EARTH = "the Earth"
_ARMS = ("likeliest", "random")


@dataclass(frozen=True)
class HerbRow:
    """C_w of one region after some epochs: on the sentences that the model found likeliest, or on random ones."""

    arm: str
    rate: float
    epoch: int
    region: str
    value: float
    validity: str


def read_herb(folder: Path) -> list[HerbRow]:
    """The rows in the folder of the probe; none if the plant was not made."""
    path = folder / HERB_FILE
    if not path.is_file():
        return []
    return [
        HerbRow(
            row["arm"],
            finite_number(path, row, "rate"),
            int(finite_number(path, row, "epoch")),
            row["region"],
            finite_number(path, row, "C_w"),
            row["validity"],
        )
        for row in read_csv(path, ["arm", "rate", "epoch", "region", "C_w", "validity"])
    ]


def herb_figure(rows: Sequence[HerbRow]) -> Figure:
    """C_w against the epoch, one panel per region, the Earth first."""
    table = pl.DataFrame([{"text": r.arm, "epoch": r.epoch, "region": r.region, "C_w": r.value} for r in rows])
    regions = sorted({row.region for row in rows}, key=lambda region: (region != EARTH, region))
    lines = (
        alt.Chart(table)
        .mark_line(point=alt.OverlayMarkDef(size=14))
        .encode(
            x=alt.X("epoch:Q", title="epoch"),
            y=alt.Y("C_w:Q", title="C_w").scale(zero=False),
            color=alt.Color("text:N", title="sentences").scale(domain=list(_ARMS), range=[POSITIVE, NEUTRAL]),
            strokeDash=alt.StrokeDash("text:N", title="sentences").scale(domain=list(_ARMS), range=[[1, 0], [4, 3]]),
        )
        .properties(width=170, height=120)
    )
    chart = lines.facet(
        facet=alt.Facet("region:N", title=None, sort=regions, header=alt.Header(labelColor=INK)), columns=4
    )
    return Figure(
        name="herb-plant",
        title="HERB's own plant (Figure 5 of the study)",
        chart=chart.resolve_scale(y="independent"),
        caption=(
            "C_w after each epoch of training on the 20 sentences per word that the model found likeliest, region "
            "hidden; beside it 20 random ones, as a control that the study does not have."
        ),
        alt=_describe(rows),
    )


def _describe(rows: Sequence[HerbRow]) -> str:
    earth = sorted((row for row in rows if row.region == EARTH), key=lambda row: row.epoch)
    told = []
    for arm in _ARMS:
        values = [row for row in earth if row.arm == arm]
        if values:
            first, last = values[0], values[-1]
            told.append(f"{arm}: {first.value:.3f} at epoch {first.epoch}, {last.value:.3f} at epoch {last.epoch}")
    return f"C_w of the Earth, {'; '.join(told)}."
