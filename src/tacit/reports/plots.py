"""Small interval plots as inline SVG: a value with its interval, beside the point that means no leaning."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from tacit.methods.glance import Glance
from tacit.runs.text import interval_text, number

__all__ = ["interval_plot", "plot_range", "value_text"]

_PADDING = 0.08
_HEIGHT = 22


def plot_range(glances: Iterable[Glance]) -> tuple[float, float]:
    """The ends of one axis for several values: the ends of their scale, or what shows all of them."""
    glances = list(glances)
    ends = [end for glance in glances for end in glance.ends or ()]
    shown = [
        float(glance.row[name])
        for glance in glances
        for name in ("value", "low", "high", "neutral")
        if glance.row[name] is not None and math.isfinite(glance.row[name])
    ]
    least, greatest = min([*ends, *shown], default=0.0), max([*ends, *shown], default=1.0)
    if least == greatest:
        return least - 1, greatest + 1
    margin = 0.0 if ends else _PADDING * (greatest - least)
    return least - margin, greatest + margin


def interval_plot(glance: Glance, ends: tuple[float, float], color: str) -> Markup:
    """The plot of one value; it is as wide as its place, so all positions are percentages.

    Args:
        glance: The value, its interval and its neutral point.
        ends: The ends of the axis.
        color: The color of the model.
    """
    row, middle = glance.row, _HEIGHT / 2
    parts = [Markup('<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(middle)]
    if row["neutral"] is not None:
        at = _place(row["neutral"], ends)
        parts.append(Markup('<line class="neutral" x1="{0}%" x2="{0}%" y1="1" y2="{1}"/>').format(at, _HEIGHT - 1))
    if row["low"] is not None and row["high"] is not None:
        low, high = _place(row["low"], ends), _place(row["high"], ends)
        interval = Markup('<line class="interval" x1="{}%" x2="{}%" y1="{}" y2="{}" stroke="{}"/>')
        parts.append(interval.format(low, high, middle, middle, color))
    dot = Markup('<circle cx="{}%" cy="{}" r="4.5" fill="{}"/>')
    parts.append(dot.format(_place(row["value"], ends), middle, color))
    whole = Markup('<svg class="plot" role="img" width="100%" height="{}" aria-label="{}">{}</svg>')
    return whole.format(_HEIGHT, _words(glance), Markup("").join(parts))


def value_text(glance: Glance) -> str:
    """The value with its interval, with as many digits as the interval deserves."""
    row = glance.row
    return interval_text(row["value"], row["low"], row["high"], percent=glance.percent)


def _words(glance: Glance) -> str:
    neutral = glance.row["neutral"]
    if neutral is None:
        return f"{glance.label}: {value_text(glance)}"
    point = f"{neutral:.0%}" if glance.percent else number(neutral)
    return f"{glance.label}: {value_text(glance)}; neutral point {point}"


def _place(value: float, ends: tuple[float, float]) -> str:
    share = (value - ends[0]) / (ends[1] - ends[0])
    return f"{100 * min(1.0, max(0.0, share)):.2f}"
