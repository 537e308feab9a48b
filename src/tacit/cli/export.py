"""`tacit export`: a table of a run for another program or for a paper."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.options import Force
from tacit.cli.verbosity import note

__all__ = ["export"]


class TableFormat(StrEnum):
    """What a table can be written as."""

    CSV = "csv"
    TEX = "tex"
    MD = "md"
    XLSX = "xlsx"


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    format_: Annotated[TableFormat, typer.Option("--format", help="The format.")] = TableFormat.CSV,
    table: Annotated[
        str, typer.Option(help="measures, answers, or another table of the run; xlsx holds all of them.")
    ] = "measures",
    out: Annotated[Path | None, typer.Option(help="The file to write (by default the terminal).")] = None,
    force: Force = False,
) -> None:
    """Write a table of a run as CSV, LaTeX or Markdown, or all tables as one Excel workbook."""
    from tacit.errors import RunError
    from tacit.reports import export_table
    from tacit.runs import open_run
    from tacit.storage import write_output

    content = export_table(open_run(run), table, format_.value)
    if out is not None:
        write_output(out, content, force=force)
        note(f"Written: {out}")
    elif format_ is TableFormat.XLSX:
        raise RunError("A workbook needs a file. Name one with --out FILE.xlsx.")
    else:
        sys.stdout.write(content.decode())
