"""`tacit runs`: list the runs in a folder, or remove some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.prose import say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.runs import RunRecord

__all__ = ["runs"]


def runs(
    places: Annotated[
        list[Path] | None, typer.Argument(metavar="[rm] [DIR]...", help="Where to look (by default in runs).")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="With rm: do not ask first.")] = False,
) -> None:
    """List runs with their probe, model, mode, status, number of questions and folder; `rm` removes them."""
    from tacit.cli.tables import show
    from tacit.errors import TacitError
    from tacit.runs import find_runs, read_record

    if places and places[0] == Path("rm") and len(places) > 1:
        _remove(places[1:], yes=yes)
        return
    if not places and not Path("runs").is_dir():
        note("No runs here yet.\n\nNext: tacit tour")
        return
    rows, problems = [], []
    for folder in find_runs(places or [Path("runs")]):
        try:
            rows.append(_cells(folder, read_record(folder)))
        except TacitError as error:
            problems.append(error)
    if rows:
        show("", ["probe", "model", "mode", "status", "questions", "folder"], rows, most=1000)
    for problem in problems:
        say(str(problem), err=True)
    if problems:
        raise typer.Exit(1)


def _cells(folder: Path, record: RunRecord) -> tuple[object, ...]:
    status = "complete" if record.status == "complete" else "interrupted"
    return record.probe.name, record.model.label, record.mode, status, record.asked, folder


def _remove(places: list[Path], *, yes: bool) -> None:
    from tacit.cli.confirm import confirm
    from tacit.runs import find_runs
    from tacit.runs.remove import remove_run

    folders = find_runs(places)
    confirm(f"{len(folders)} {'run' if len(folders) == 1 else 'runs'} ({', '.join(map(str, folders))})", yes=yes)
    for folder in folders:
        remove_run(folder)
        typer.echo(f"Removed {folder}")
