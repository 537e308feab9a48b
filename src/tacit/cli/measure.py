"""`tacit measure`: recompute the measures of runs from their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tacit.cli.prose import say
from tacit.cli.verbosity import note

__all__ = ["measure"]

Ratings = Literal["kept", "current"]


def measure(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, or a folder above them.")],
    ratings: Annotated[
        Ratings, typer.Option(help="The ratings that each run kept, or the current ones, which it then keeps instead.")
    ] = "kept",
) -> None:
    """Recompute the measures of runs from their answers, without loading a model."""
    from tacit.asking.progress import announced, watching_steps
    from tacit.runs import find_runs
    from tacit.runs import measure as measure_run
    from tacit.runs.store import ANSWERS

    with watching_steps() as on_step:
        for folder in announced(find_runs(runs), lambda folder: f"Measuring {folder}", on_step):
            measured = measure_run(folder, ratings=ratings)
            say(f"{folder}: {', '.join(name for name in measured.record.files if name != ANSWERS)}")
    note(f"\nNext: tacit report {' '.join(map(str, runs))} --out report.html")
