"""Numbers and commands as people read them, the same in summaries, comparisons, cards and pages."""

from __future__ import annotations

import math
import shlex
from typing import Any

from tacit.runs.record import RunRecord

__all__ = ["command", "interval_words", "number", "p_words"]


def number(value: float | None) -> str:
    """A number with three decimals below one, two above, none from 1,000 on: 0.412, 12.35, 1,204, 3.1e-06."""
    if value is None or math.isnan(value):
        return "–"
    if value == 0 or math.isinf(value):
        return str(value).removesuffix(".0")
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if size < 0.0005:
        return f"{value:.1e}"
    return f"{value:.2f}" if size >= 1 else f"{value:.3f}"


def interval_words(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its interval, `-0.410 [-0.520, -0.300]`, or alone if it has none."""
    if low is None or high is None:
        return number(value)
    return f"{number(value)} [{number(low)}, {number(high)}]"


def p_words(p: float | None) -> str:
    """A p-value as `p < .001` or `p = .043`; empty if nothing was tested."""
    if p is None or math.isnan(p):
        return ""
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".", 1)


def command(record: RunRecord) -> str:
    """The command that reproduces a run."""
    words = ["tacit", "run", record.probe.given_as, "--model", record.model.name, *_loading(record)]
    for name, value in record.changed_settings.items():
        words += ["--mode", str(value)] if name == "mode" else ["--set", f"{name}={_written(value)}"]
    return shlex.join(words)


def _loading(record: RunRecord) -> list[str]:
    """The options about loading that change answers."""
    description = record.model.description
    begin = ["--begin" if description.get("begin") else "--no-begin"] if record.model.family == "causal" else []
    return begin + (["--dtype", description["dtype"]] if description.get("dtype", "float32") != "float32" else [])


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
