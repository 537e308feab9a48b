"""The report for a paper: tables as Markdown, LaTeX or CSV, and figures with their captions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from tacit.asking.progress import OnStep
from tacit.errors import RunError
from tacit.figure import Figure
from tacit.reports.overview import Answer, Overview, overview
from tacit.reports.page import figure_prefix, report, save_figures
from tacit.reports.sections import Section, sections
from tacit.reports.tables import Cell, Column, PageTable, stacked
from tacit.reports.writers import csv_bytes, escape_latex, latex_table, markdown_table
from tacit.runs import Run, open_runs
from tacit.runs.summary import aggregates, escape_markdown
from tacit.storage import require_output, write_output

__all__ = ["Format", "export_report"]

Format = Literal["html", "md", "csv", "tex"]

_LATEX_HEAD = """% Written by Tacit. Use it with \\input{...} in a document that loads
% \\usepackage[T1]{fontenc}, \\usepackage{array}, \\usepackage{booktabs} and \\usepackage{graphicx}."""


def export_report(
    runs: Sequence[str | Path | Run],
    out: str | Path,
    kind: Format = "html",
    figures: str | Path | None = None,
    *,
    force: bool = False,
    on_step: OnStep | None = None,
) -> Path:
    """Write a report about runs in one of several formats.

    Args:
        runs: Runs, their folders, or folders above runs.
        out: The file to write; for CSV, a folder.
        kind: "html" for a page to read, "md" or "tex" for a paper, "csv" for another program.
        figures: A folder for the figures; Markdown and LaTeX, which need them, put them beside the file by default.
        force: Overwrite files that Tacit did not write.
        on_step: Told what is being made, how much of it is done, and of how much.

    Returns:
        The path of the file or folder.
    """
    if kind == "html":
        return report(runs, out, figures, force=force, on_step=on_step)
    opened = open_runs(runs)
    if not opened:
        raise RunError("A report needs at least one run. Name the folder of a run, or a folder above runs.")
    path = Path(out)
    if kind == "csv":
        return _write_csv(sections(opened, on_step), path, force=force)
    require_output(path, force=force)
    parts = sections(opened, on_step)
    folder = Path(figures) if figures is not None else path.with_name(f"{path.stem}-figures")
    text = _markdown(parts, _inside(folder, path)) if kind == "md" else _latex(parts, _inside(folder, path))
    write_output(path, text.encode("utf-8", "replace"), force=force)
    save_figures(parts, folder, force=force, on_step=on_step)
    return path


def _inside(folder: Path, file: Path) -> str:
    """The folder as the file names it."""
    try:
        return folder.resolve().relative_to(file.parent.resolve()).as_posix()
    except ValueError:
        return folder.resolve().as_posix()


def _write_csv(parts: Sequence[Section], folder: Path, *, force: bool) -> Path:
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file. CSV tables need a folder: name one with --out.")
    for section in parts:
        tables = {model: aggregates(run.measures) for model, run in section.runs.items()}
        frames = {"measures": stacked(tables)}
        if section.comparison:
            frames["differences"] = section.comparison.table
        if section.asked.table:
            frames["sentences"] = _frame(section.asked.table)
        for name, frame in frames.items():
            write_output(folder / f"{figure_prefix(section)}-{name}.csv", csv_bytes(frame), force=force)
    return folder


def _frame(table: PageTable) -> pl.DataFrame:
    columns = {column.name: [row[place] for row in table.rows] for place, column in enumerate(table.columns)}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _overview_table(whole: Overview) -> PageTable:
    columns = [Column("question"), *(Column(model) for model in whole.models)]
    rows: list[list[Cell]] = [
        [row.title, *(_answer_text(row.answers.get(model)) for model in whole.models)] for row in whole.rows
    ]
    return PageTable("overview", "At a glance", columns, rows, len(rows))


def _answer_text(answer: Answer | None) -> str:
    if answer is None:
        return "not run"
    if answer.glance is None:
        return f"{answer.phrase}: {answer.light.short_reason}" if answer.light.reason else answer.phrase
    care = f"; {answer.light.words.lower()}" if answer.light.level == "care" else ""
    return f"{answer.phrase} ({answer.glance.row['measure']} {answer.value}{care})"


def _caption(section: Section) -> str:
    settings = f" Not the probe's own settings: {'; '.join(section.banner.changes)}." if section.banner else ""
    intervals = f"{section.record.settings.get('confidence', 0.95):.0%}"
    return f"{_sentence(section.title)} Values with {intervals} intervals.{settings}"


def _sentence(title: str) -> str:
    return title if title.endswith(("?", ".", "!")) else f"{title}."


def _markdown(parts: Sequence[Section], folder: str) -> str:
    whole = overview(parts)
    table = _overview_table(whole)
    blocks = [f"# What {', '.join(map(escape_markdown, whole.models))} tacitly believe"]
    blocks.append(markdown_table([column.name for column in table.columns], table.rows))
    found = [f"- {escape_markdown(f'{one.probe}: {one.claim} ({one.numbers}).')}" for one in whole.findings]
    if whole.compared:
        blocks += ["## Differences between models that survive correction", "\n".join(found) or "None."]
    for section in parts:
        blocks += _markdown_section(section, folder)
    return "\n\n".join(blocks) + "\n"


def _markdown_section(section: Section, folder: str) -> list[str]:
    probe = section.record.probe
    blocks = [f"## {escape_markdown(section.title)}"]
    if section.banner:
        blocks.append(f"**Not the probe's own settings:** {escape_markdown('; '.join(section.banner.changes))}.")
    lines = [
        f"- **{escape_markdown(one.model)}:** {escape_markdown(_answer_text(one))}" for one in section.answers.values()
    ]
    blocks.append("\n".join([*lines, *(f"- {escape_markdown(sentence)}" for sentence in section.sentences)]))
    for table in (section.key, section.differences):
        if table and table.rows:
            blocks.append(f"**{table.title}**")
            blocks.append(markdown_table([column.name for column in table.columns], table.rows))
    for figure in section.figures:
        place = f"{folder}/{figure_prefix(section)}-{figure.name}.svg"
        blocks.append(f"![{escape_markdown(figure.alt)}](<{place}>)")
        blocks.append(f"*{escape_markdown(figure.title)}.* {escape_markdown(figure.caption)}")
    if probe.limits:
        blocks += ["**What this does not show**", "\n".join(f"- {escape_markdown(limit)}" for limit in probe.limits)]
    blocks.append("\n".join(f"    {command}" for command in section.commands))
    return blocks


def _latex(parts: Sequence[Section], folder: str) -> str:
    whole = overview(parts)
    caption = f"What {', '.join(whole.models)} tacitly believe."
    blocks = [_LATEX_HEAD, latex_table(_overview_table(whole), caption, sentences=True)]
    for section in parts:
        blocks.append(f"% {' '.join(section.title.split())}: {' '.join(section.record.probe.name.split())}")
        if section.key.rows:
            blocks.append(latex_table(section.key, _caption(section)))
        if section.differences:
            caption = f"{_sentence(section.title)} {section.differences.title}. {section.differences.note}"
            blocks.append(latex_table(section.differences, caption))
        blocks += [_latex_figure(section, figure, folder) for figure in section.figures]
    return "\n\n".join(blocks) + "\n"


def _latex_figure(section: Section, figure: Figure, folder: str) -> str:
    name = f"{figure_prefix(section)}-{figure.name}"
    return "\n".join(
        [
            r"\begin{figure}",
            r"\centering",
            rf"\includegraphics[width=\linewidth]{{{folder}/{name}.pdf}}",
            rf"\caption{{{escape_latex(figure.title)}. {escape_latex(figure.caption)}}}",
            rf"\label{{fig:{name}}}",
            r"\end{figure}",
        ]
    )
