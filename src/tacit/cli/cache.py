"""`tacit cache`: how large the stored answers are, and removing all of them or those that are not used any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.confirm import confirm
from tacit.cli.json_output import collect_table, with_json
from tacit.cli.prose import say

if TYPE_CHECKING:
    from tacit.asking import Cache

__all__ = ["app"]

app = typer.Typer(help="The stored answers of models: no question is asked twice.", no_args_is_help=True)


@app.command()
@with_json
def size() -> None:
    """Show where the cache is, how large it is, and how many answers it holds."""
    from tacit.asking import Cache

    with Cache() as cache:
        row = {"path": str(cache.path), "answers": cache.count(), "bytes": _bytes(cache)}
        if not collect_table("", [row]):
            typer.echo(f"{cache.path}: {cache.count():,} answers, {_megabytes(cache)} MB")


@app.command()
def clear(yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False) -> None:
    """Remove all stored answers. Runs are not touched; one that was interrupted asks its questions again."""
    from tacit.asking import Cache

    with Cache() as cache:
        what = f"{cache.count():,} answers ({_megabytes(cache)} MB)"
        confirm(f"{what} in {cache.path}", yes=yes)
        cache.clear()
    typer.echo(f"Removed {what}.")


@app.command()
def prune(
    older_than: Annotated[
        int, typer.Option(metavar="DAYS", min=0, max=100_000, help="How long an answer was neither stored nor used.")
    ] = 90,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Remove the answers of models that are not asked any more: those that no command has used for DAYS days.

    Answers of Tacit's versions that did not note the day count from the first time that you prune or use them.
    """
    from tacit.asking import Cache

    with Cache() as cache:
        unused, before = cache.count_unused(older_than), _bytes(cache)
        which = f"not used for more than {older_than} days"
        if not unused:
            say(f"Nothing to remove: none of the {cache.count():,} answers in {cache.path} was {which}.")
            return
        confirm(f"{unused:,} answers in {cache.path}, {which}", yes=yes)
        removed = cache.prune(older_than)
        freed = max(before - _bytes(cache), 0) / 1e6
        say(f"Removed {removed:,} answers ({freed:,.1f} MB), {which}; {cache.count():,} are left.")


def _bytes(cache: Cache) -> int:
    files = (cache.path, cache.path.with_name(cache.path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.is_file())


def _megabytes(cache: Cache) -> str:
    return f"{_bytes(cache) / 1e6:,.1f}"
