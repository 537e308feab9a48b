"""`tacit card`: runs of one model as a block for its model card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.options import Force

__all__ = ["card"]


def card(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs of one model.")],
    out: Annotated[Path | None, typer.Option(help="Write it here; otherwise it is printed.")] = None,
    force: Force = False,
) -> None:
    """Write a block for a Hugging Face model card: Markdown with YAML metadata, warnings as well as numbers."""
    from tacit.runs.card import card as make_card
    from tacit.storage import write_output

    made = make_card(runs)
    if out is None:
        typer.echo(made, nl=False)
        return
    write_output(out, made.encode(), force=force)
    typer.echo(f"Written: {out}\n\nNext: paste it into the model's README.md")
