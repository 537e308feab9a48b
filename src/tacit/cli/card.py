"""`tacit card`: a block for a model card from the runs of one model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.options import Force
from tacit.cli.verbosity import note

__all__ = ["card"]


def card(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders of one model, or a folder above them.")
    ],
    out: Annotated[Path | None, typer.Option(help="The file to write (by default it is printed).")] = None,
    name: Annotated[str | None, typer.Option(help="What the card calls the model (by default its own name).")] = None,
    force: Force = False,
) -> None:
    """Write a block for a Hugging Face model card: results and warnings as Markdown, with YAML metadata."""
    from tacit.runs import card as summarize
    from tacit.storage import write_output

    text = summarize(runs, name)
    if out is None:
        typer.echo(text, nl=False)
        return
    write_output(out, text.encode(errors="backslashreplace"), force=force)
    note(f"Written: {out}\n\nNext: paste it into the README.md of the model")
