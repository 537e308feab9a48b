"""Numbers as people read them: with as many digits as their interval deserves."""

from __future__ import annotations

import math

__all__ = ["interval_text", "number", "p_text"]

_ROUNDING = 1e-12
"""What is smaller is what is left of zero after rounding, not a result."""


def number(value: float | None) -> str:
    """A number with three decimals below one, two above, none from 1,000 on: 0.412, 12.35, 1,204, 3.1e-06."""
    if value is None or math.isnan(value):
        return "–"
    if value == 0 or math.isinf(value):
        return str(value).removesuffix(".0")
    size = abs(value)
    if size < _ROUNDING:
        return "0"
    if size >= 1000:
        return f"{value:,.0f}"
    if size < 0.0005:
        return f"{value:.1e}"
    return f"{value:.2f}" if size >= 1 else f"{value:.3f}"


def interval_text(value: float | None, low: float | None, high: float | None, *, percent: bool = False) -> str:
    """A value with its interval, rounded to two significant digits of the interval's half-width.

    Args:
        value: The value.
        low: The low end of its interval; without an interval the value stands alone.
        high: The high end.
        percent: Write shares as percentages.

    Returns:
        `-0.41 [-0.52, -0.30]`, or `31% [24%, 38%]`.
    """
    scale, sign = (100.0, "%") if percent else (1.0, "")
    if value is None or math.isnan(value):
        return "–"
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return f"{value * scale:.0f}%" if percent else number(value)
    half = (high - low) / 2 * scale
    # What rounding leaves between equal numbers is no width.
    if half <= 1e-12 * scale * max(abs(low), abs(high)) or not math.isfinite(half):
        parts = [f"{end * scale:.0f}%" if percent else number(end) for end in (value, low, high)]
    else:
        parts = [f"{_rounded(end * scale, half)}{sign}" for end in (value, low, high)]
    return f"{parts[0]} [{parts[1]}, {parts[2]}]"


def p_text(p: float | None) -> str:
    """A p-value as `p < .001` or `p = .043`; empty if nothing was tested."""
    if p is None or math.isnan(p):
        return ""
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".", 1)


def _rounded(value: float, half: float) -> str:
    decimals = max(0, 1 - math.floor(math.log10(half)))
    # Below a millionth, decimals would be harder to read than an exponent.
    text = f"{value:.1e}" if decimals > 7 else f"{value:,.{decimals}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text
