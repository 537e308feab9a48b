"""Numbers and commands as people read them, the same in summaries, comparisons, cards and pages."""

from __future__ import annotations

import shlex
from typing import Any

from tacit.numbers import interval_text, number, p_text
from tacit.runs.record import RunRecord

__all__ = ["command", "interval_text", "number", "p_text"]


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
