"""The command `tacit`: one module per subcommand, and one sentence for every error."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from tacit._version import __version__
from tacit.errors import TacitError

__all__ = ["app", "main"]

_COMMANDS = (
    "tour",
    "probes",
    "run",
    "runs",
    "measure",
    "compare",
    "report",
    "card",
    "fill",
    "doctor",
    "standards",
    "harvest",
)
_GROUPS = ("rate", "models", "tune")

app = typer.Typer(
    help="Measure what pre-trained language models tacitly believe.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; an error that the user can fix is one sentence and exit code 2."""
    try:
        app()
    except TacitError as error:
        typer.echo(f"tacit: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("\nInterrupted. The same command continues where it stopped.", err=True)
        sys.exit(130)


def _show_version(show: bool) -> None:
    if show:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


for _name in _COMMANDS:
    app.command(_name)(getattr(import_module(f"tacit.cli.{_name}"), _name))
for _name in _GROUPS:
    app.add_typer(import_module(f"tacit.cli.{_name}").app, name=_name)
