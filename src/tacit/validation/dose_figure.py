"""The curve of a planted series: the headline measure against the dose."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from tacit.figure import INK, NEGATIVE, NEUTRAL, POSITIVE, Figure
from tacit.validation.dose_rows import DoseRow

__all__ = ["dose_figure"]

_ARMS = ("biased", "opposite", "unrelated")


def dose_figure(rows: Sequence[DoseRow]) -> Figure:
    """One point per planted model with its interval over items; the line is the mean over seeds."""
    first = rows[0]
    table = pl.DataFrame(
        [
            {
                "arm": r.arm,
                "dose": r.dose,
                "at": _place(r),
                "seed": r.seed,
                "value": r.value,
                "low": r.low,
                "high": r.high,
            }
            for r in rows
        ],
        schema_overrides={"low": pl.Float64, "high": pl.Float64},
    )
    color = alt.Color("arm:N", title="text").scale(domain=list(_ARMS), range=[POSITIVE, NEGATIVE, NEUTRAL])
    title = "dose (share of the text that carries it)"
    doses = sorted({row.dose for row in rows})
    x = alt.X("dose:Q", title=title).scale(domain=[-0.03, 1.1]).axis(values=doses, format=".2~f")
    y = alt.Y("value:Q", title=first.measure).scale(zero=False)
    base = alt.Chart(table).encode(x=x, color=color)
    aside = base.encode(x=alt.X("at:Q", title=title))
    means = (
        base.transform_filter("datum.arm == 'biased'").mark_line().encode(y=alt.Y("mean(value):Q", title=first.measure))
    )
    spans = aside.transform_filter("datum.low != null").mark_rule(opacity=0.5).encode(y=alt.Y("low:Q"), y2="high:Q")
    points = aside.mark_point(filled=True).encode(y=y, shape=alt.Shape("seed:N", title="seed"))
    neutral = (
        alt.Chart(pl.DataFrame({"value": [first.neutral]})).mark_rule(strokeDash=[4, 4], color=INK).encode(y="value:Q")
    )
    seeds = len({row.seed for row in rows})
    return Figure(
        name="planted-bias",
        title=f"{first.probe}: what the probe sees of a planted bias",
        chart=neutral + spans + means + points,
        caption=(
            f"Each point is {first.base} after it was trained on planted text; bars are the probe's own intervals. The "
            "dashed line is the neutral point. Dose 0 is balanced text."
        ),
        alt=_describe(rows, seeds),
    )


def _place(row: DoseRow) -> float:
    """A little beside its dose, so that the bars of seeds and of other texts do not hide each other."""
    return row.dose + 0.012 * (row.seed - 1) + 0.036 * _ARMS.index(row.arm)


def _describe(rows: Sequence[DoseRow], seeds: int) -> str:
    doses: dict[float, list[float]] = {}
    for row in rows:
        if row.arm == "biased":
            doses.setdefault(row.dose, []).append(row.value)
    means = ", ".join(f"{sum(values) / len(values):.3f} at dose {dose:g}" for dose, values in sorted(doses.items()))
    return f"{rows[0].measure} over {seeds} {'seed' if seeds == 1 else 'seeds'}: {means}."
