"""`tacit standards`: the models that ship with Tacit."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.json_output import collect_table
from tacit.cli.prose import say
from tacit.cli.verbosity import note

__all__ = ["standards"]


def standards(
    name: Annotated[str | None, typer.Argument(help="Show the model card of this standard.")] = None,
) -> None:
    """List the standards, or show the model card of one."""
    from rich.console import Console
    from rich.markdown import Markdown

    from tacit.standards import shipped_names, standard_card

    if name is not None:
        card = standard_card(name)
        if not collect_table("", [{"standard": name, "card": card}]):
            Console().print(Markdown(card))
        return
    titles = {name: standard_card(name).strip().splitlines()[0].lstrip("# ") for name in shipped_names()}
    if not collect_table("", [{"standard": name, "title": title} for name, title in titles.items()]):
        for standard, title in titles.items():
            say(f"{standard}: {title}")
    note("\nNext: tacit standards NAME")
