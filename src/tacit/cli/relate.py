"""`tacit relate`: what the regional measure goes together with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.json_output import collect_table
from tacit.cli.options import Force
from tacit.cli.prose import say
from tacit.cli.verbosity import note

__all__ = ["relate"]


def relate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs of regional and of regional-downstream.")],
    in_order: Annotated[
        bool, typer.Option("--in-order", help="Pair models and classifiers as they are given.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the table here: .csv, .parquet or .json.")] = None,
    force: Force = False,
) -> None:
    """Correlate regional bias with how often names were read, and with what naming a region does to classifiers."""
    from tacit.runs.export import write_frame
    from tacit.runs.relate import relate as relate_runs

    relations = relate_runs(runs, in_order=in_order)
    collect_table("", relations.table.to_dicts())
    for sentence in relations.sentences:
        say(sentence)
    say(
        "\nRank correlations (Spearman) with 95 % intervals over the countries or models given. Neighboring countries "
        "are alike, so the intervals over countries are too narrow rather than too wide."
    )
    if out is not None:
        write_frame(relations.table, out, force=force)
        note(f"Written: {out}")
