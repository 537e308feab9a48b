"""`tacit standards`: the models that ship with Tacit."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["standards"]


def standards(
    name: Annotated[str | None, typer.Argument(help="Show the card of this one.")] = None,
) -> None:
    """List the standards, or show the card of one."""
    from rich.console import Console
    from rich.markdown import Markdown

    from tacit.standards import standard_card, standard_names

    if name is not None:
        Console().print(Markdown(standard_card(name)))
        return
    for each in standard_names():
        title = standard_card(each).strip().splitlines()[0].lstrip("# ")
        typer.echo(f"{each}: {title}")
    typer.echo("\nNext: tacit standards NAME")
