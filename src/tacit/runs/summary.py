"""The `summary.md` of a run: what was asked, the results with their uncertainty, and what they do not show."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import plural
from tacit.runs.record import RunRecord
from tacit.runs.text import command, interval_text, number, p_text

__all__ = ["aggregates", "caution_lines", "escape_markdown", "measure_cells", "measures_lines", "summary"]


def summary(record: RunRecord, key_rows: pl.DataFrame) -> str:
    """The text of `summary.md`: the headline, a few sentences, and the rows that carry them.

    Args:
        record: The record of the run, with its headline and sentences.
        key_rows: The rows of the measures to show; none where the run cannot be interpreted.
    """
    parts = [
        f"# {escape_markdown(record.probe.title)}: {escape_markdown(record.model.label)}",
        _about(record),
        f"**{escape_markdown(record.headline)}**\n",
        *(f"- {escape_markdown(sentence)}" for sentence in record.sentences),
        *(f"- Caution: {escape_markdown(line)}" for line in caution_lines(record)),
        "\n".join(measures_lines(key_rows)),
        _all_rows(record),
        *_listed("Warnings", record.warnings),
        *_listed("What this does not show", record.probe.limits),
        f"## Reproduce\n\n    {command(record)}",
    ]
    return "\n\n".join(part for part in parts if part).replace("\n\n- ", "\n- ") + "\n"


def caution_lines(record: RunRecord) -> list[str]:
    """Why the run must be read with care, if its method or its model says so."""
    lines = [f"{record.validity.reason}."] if record.validity.level == "weak" else []
    description = record.model.description
    if description.get("unpinned"):
        noise = description.get("noise_floor")
        varies = f", and its answers vary by up to {noise:.1e} nats" if isinstance(noise, float) and noise else ""
        lines.append(f"{record.model.label} is unpinned: a server cannot prove which weights it serves{varies}.")
    return lines


def aggregates(measures: pl.DataFrame) -> pl.DataFrame:
    """The rows of a measures table that are about more than one item."""
    return measures.filter(pl.col("item").is_null())


def escape_markdown(text: str) -> str:
    """Escape text from a model or a file, so that Markdown shows it as it is."""
    shown = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    for sign in "`*_[]":
        shown = shown.replace(sign, f"\\{sign}")
    return " ".join(shown.split())


def measures_lines(rows: pl.DataFrame) -> list[str]:
    """Rows of the measures as the lines of a Markdown table; columns without a value are left out."""
    cells = [measure_cells(row) for row in rows.iter_rows(named=True)]
    columns = [name for name in (cells[0] if cells else {}) if any(row[name] for row in cells)]
    if not columns:
        return []
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return lines + [f"| {' | '.join(escape_markdown(row[name]) for name in columns)} |" for row in cells]


def measure_cells(row: dict[str, Any]) -> dict[str, str]:
    """A row of the measures as the cells of a table that people read."""
    unit = row.get("unit")
    count = "" if row["n"] is None else f"{row['n']:,}"
    return {
        "measure": row["measure"],
        "group": row["group"] or "",
        "value [interval]": interval_text(row["value"], row["low"], row["high"]),
        "n": f"{count} {unit if row['n'] == 1 else plural(unit)}" if count and unit else count,
        "neutral": "" if row["neutral"] is None else number(row["neutral"]),
        "p": p_text(row["p"] if row["p_adjusted"] is None else row["p_adjusted"]),
        "verdict": row.get("verdict") or "",
        "caution": row.get("caution") or "",
    }


def _all_rows(record: RunRecord) -> str:
    conclude = "" if record.validity.can_be_interpreted else ", but nothing can be concluded from them"
    return f"All measures are in `measures.parquet`{conclude}."


def _about(record: RunRecord) -> str:
    mode = f"mode {record.mode}, seed {record.seed}"
    asked = f"{record.asked:,} questions"
    again = f" Ratings read again on {record.ratings_read[:10]}, after the run." if record.ratings_read else ""
    return f"Probe {record.probe.name} (version {record.probe.version}), {asked}, {mode}.{again}\n"


def _listed(title: str, sentences: tuple[str, ...]) -> list[str]:
    return [f"## {title}\n", *(f"- {escape_markdown(sentence)}" for sentence in sentences)] if sentences else []
