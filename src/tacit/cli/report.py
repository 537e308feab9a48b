"""`tacit report`: one page about runs, or the same tables and figures for a paper."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.options import Force
from tacit.cli.prose import say
from tacit.cli.verbosity import note

__all__ = ["report"]


class ReportFormat(StrEnum):
    """What a report can be written as."""

    HTML = "html"
    MD = "md"
    CSV = "csv"
    TEX = "tex"


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, or a folder above them.")],
    out: Annotated[
        Path | None, typer.Option(help="The file to write; for CSV, a folder (by default report.FORMAT).")
    ] = None,
    format_: Annotated[
        ReportFormat, typer.Option("--format", help="A page to read, tables and figures for a paper, or CSV tables.")
    ] = ReportFormat.HTML,
    figures: Annotated[Path | None, typer.Option(help="Also write each figure here as SVG, PNG and PDF.")] = None,
    force: Force = False,
) -> None:
    """Write one page about runs that opens without a network, with the models of a probe side by side."""
    from tacit.asking.progress import watching_steps
    from tacit.reports import export_report
    from tacit.runs.store import unfinished_runs

    for folder in unfinished_runs(runs):
        say(f"{folder} was interrupted and is left out. The same `tacit run` command continues it.", err=True)
    place = out or Path("report" if format_ is ReportFormat.CSV else f"report.{format_.value}")
    with watching_steps() as on_step:
        written = export_report(runs, place, format_.value, figures, force=force, on_step=on_step)
    if written.is_dir():
        note(f"Written: {len(list(written.glob('*.csv')))} tables in {written}")
    else:
        note(f"Written: {written} ({written.stat().st_size / 1e6:.1f} MB)")
    if figures is not None:
        note(f"Figures: {len(list(figures.glob('*.svg')))} as SVG, PNG and PDF in {figures}")
    open_it = f"open {written} in a browser, or " if format_ is ReportFormat.HTML else ""
    note(f"\nNext: {open_it}tacit card {' '.join(map(str, runs))}")
