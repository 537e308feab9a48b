"""`tacit standards`: the models that ship with Tacit."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["standards"]


def standards(
    name: Annotated[str | None, typer.Argument(help="Show the model card of this standard.")] = None,
) -> None:
    """List the standards, or show the model card of one."""
    from rich.console import Console
    from rich.markdown import Markdown

    from tacit.standards import shipped_names, standard_card

    if name is not None:
        Console().print(Markdown(standard_card(name)))
        return
    for standard in shipped_names():
        title = standard_card(standard).strip().splitlines()[0].lstrip("# ")
        typer.echo(f"{standard}: {title}")
    typer.echo("\nNext: tacit standards NAME")
