"""Asking before something is removed."""

from __future__ import annotations

import sys

import typer

from tacit.errors import TacitError

__all__ = ["confirm"]


def confirm(what: str, *, yes: bool) -> None:
    """Ask whether to remove something, unless the user has said yes; without a terminal nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise TacitError(f"Nobody can be asked whether to remove {what}. Add --yes.")
    typer.confirm(f"Remove {what}?", abort=True)
