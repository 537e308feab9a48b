"""The `summary.md` of a run: what was asked, the results with their uncertainty, and what they do not show."""

from __future__ import annotations

import polars as pl

from tacit.runs.record import RunRecord
from tacit.runs.text import command, interval_text, number, p_text

__all__ = ["aggregates", "escape_markdown", "measures_lines", "summary"]

_MOST_ROWS = 40


def summary(record: RunRecord, measures: pl.DataFrame) -> str:
    """The text of `summary.md`.

    Args:
        record: The record of the run, with its sentences.
        measures: Its measures.
    """
    parts = [
        f"# {escape_markdown(record.probe.title)}: {escape_markdown(record.model.label)}",
        _about(record),
        f"**{escape_markdown(record.headline)}**\n" if record.headline else "",
        *(f"- {escape_markdown(sentence)}" for sentence in record.sentences),
        "\n".join(measures_lines(measures, _MOST_ROWS)),
        *_listed("Warnings", record.warnings),
        *_listed("What this does not show", record.probe.limits),
        f"## Reproduce\n\n    {command(record)}",
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def aggregates(measures: pl.DataFrame) -> pl.DataFrame:
    """The rows of a measures table that are about more than one item."""
    return measures.filter(pl.col("item").is_null())


def escape_markdown(text: str) -> str:
    """Escape text from a model or a file, so that Markdown shows it as it is."""
    shown = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    for sign in "`*_[]":
        shown = shown.replace(sign, f"\\{sign}")
    return " ".join(shown.split())


def measures_lines(measures: pl.DataFrame, most: int) -> list[str]:
    """The aggregates as the lines of a Markdown table, at most `most` rows."""
    rows = aggregates(measures)
    lines = ["| measure | group | value [interval] | neutral | n | p |", "|---|---|---|---|---|---|"]
    for row in rows.head(most).iter_rows(named=True):
        cells = [
            escape_markdown(row["measure"]),
            escape_markdown(row["group"] or ""),
            interval_text(row["value"], row["low"], row["high"]),
            number(row["neutral"]),
            "" if row["n"] is None else f"{row['n']:,}",
            p_text(row["p"] if row["p_adjusted"] is None else row["p_adjusted"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if rows.height > most:
        lines += ["", f"{rows.height - most} more rows are in `measures.parquet`."]
    return lines


def _about(record: RunRecord) -> str:
    mode = f"mode {record.mode}, seed {record.seed}"
    asked = f"{record.asked:,} questions"
    return f"Probe {record.probe.name} (version {record.probe.version}), {asked}, {mode}.\n"


def _listed(title: str, sentences: tuple[str, ...]) -> list[str]:
    return [f"## {title}\n", *(f"- {escape_markdown(sentence)}" for sentence in sentences)] if sentences else []
