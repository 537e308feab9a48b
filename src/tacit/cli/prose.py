"""Sentences in a terminal: wrapped between words there, one line each in a pipe or a file."""

from __future__ import annotations

import shutil
import sys

import typer

from tacit.cli.layout import wrap_prose
from tacit.cli.verbosity import is_quiet

__all__ = ["remark", "say"]


def say(text: str, *, err: bool = False) -> None:
    """Print sentences. Commands and paths that people copy from a line of their own are printed by `typer.echo`."""
    if (sys.stderr if err else sys.stdout).isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(wrap_prose(line, width) for line in text.split("\n"))
    typer.echo(text, err=err)


def remark(text: str, *, err: bool = False) -> None:
    """Say something beside the results; `note` does so for commands and paths."""
    if not is_quiet():
        say(text, err=err)
