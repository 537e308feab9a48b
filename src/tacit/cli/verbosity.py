"""`-q` and `-v`: how much a command says beside its results. Both stand before or after the name of the command."""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar

import typer

from tacit.errors import TacitError

__all__ = ["is_quiet", "note", "set_verbosity", "start_verbosity"]

_chosen: ContextVar[tuple[int, bool]] = ContextVar("_chosen", default=(0, False))


class _StderrHandler(logging.Handler):
    """Writes to the stderr of the moment, which a progress bar replaces so that lines appear above it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        sys.stderr.write(self.format(record) + "\n")


_HANDLER = _StderrHandler()
_OWN_FORMAT = logging.Formatter("{asctime} {message}", "%H:%M:%S", style="{")
_EVERYBODYS_FORMAT = logging.Formatter("{asctime} {name}: {message}", "%H:%M:%S", style="{")


def is_quiet() -> bool:
    """Whether only results and errors are wanted."""
    return _chosen.get()[1]


def note(text: str, *, err: bool = False) -> None:
    """Say something beside the results: what was written, what to do next, or (on stderr) what is going on."""
    if not is_quiet():
        typer.echo(text, err=err)


def start_verbosity(verbose: int, quiet: bool) -> None:
    """Take the options that stand before the name of the command, and forget those of an earlier command."""
    _chosen.set((0, False))
    set_verbosity(verbose, quiet)


def set_verbosity(verbose: int, quiet: bool) -> None:
    """Add the options to those given so far."""
    from tacit.asking.progress import hide_progress

    verbose, quiet = verbose + _chosen.get()[0], quiet or _chosen.get()[1]
    if verbose and quiet:
        raise TacitError("--verbose and --quiet exclude each other. Leave one of them out.")
    _chosen.set((verbose, quiet))
    hide_progress(quiet)
    own, everybody = logging.getLogger("tacit"), logging.getLogger()
    own.setLevel(logging.DEBUG if verbose > 1 else logging.INFO if verbose else logging.NOTSET)
    for logger, wanted in ((own, verbose == 1), (everybody, verbose > 1)):
        logger.removeHandler(_HANDLER)
        if wanted:
            logger.addHandler(_HANDLER)
    _HANDLER.setFormatter(_EVERYBODYS_FORMAT if verbose > 1 else _OWN_FORMAT)
    if verbose > 1:
        everybody.setLevel(logging.INFO)
