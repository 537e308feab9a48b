"""`tacit new`: start a probe of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.verbosity import note

__all__ = ["new"]


def new(
    method: Annotated[
        str, typer.Argument(help="association, contrast, counterknowledge, hierarchy, prefix, shift or valence.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the probe.")],
) -> None:
    """Write a small commented probe that runs as it is: change its words and sentences, and it is yours."""
    from tacit.methods.skeletons import new_probe

    for path in new_probe(method, folder):
        typer.echo(path)
    model = "CLASSIFIER" if method == "prefix" else "modern"
    note("\nNext: edit these files, then")
    note(f"  tacit probes check {folder}")
    note(f"  tacit run {folder} --model {model}")
