"""`tacit report`: one self-contained HTML page about runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.options import Force

__all__ = ["report"]


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, or a folder above them.")],
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("report.html"),
    figures: Annotated[Path | None, typer.Option(help="Also write each figure here as SVG, PNG and PDF.")] = None,
    force: Force = False,
) -> None:
    """Write one HTML page about runs that opens without a network, with the models of a probe side by side."""
    from tacit.reports import report as write
    from tacit.runs.store import unfinished_runs

    for folder in unfinished_runs(runs):
        typer.echo(f"{folder} was interrupted and is left out. The same `tacit run` command continues it.", err=True)
    written = write(runs, out, figures, force=force)
    typer.echo(f"Written: {written} ({written.stat().st_size / 1e6:.1f} MB)")
    if figures is not None:
        typer.echo(f"Figures: {len(list(figures.glob('*.svg')))} as SVG, PNG and PDF in {figures}")
    typer.echo(f"\nNext: open {written} in a browser, or tacit card {' '.join(map(str, runs))}")
