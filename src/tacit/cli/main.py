"""The command `tacit`: one module per subcommand, and one sentence for every error."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import traceback
import warnings
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from tacit._version import __version__
from tacit.cli.config import NoConfig
from tacit.cli.json_output import JSON_OPTION, with_json
from tacit.cli.options import Quiet, Verbose
from tacit.cli.prose import say
from tacit.cli.shared_options import add_shared_options
from tacit.cli.verbosity import start_verbosity
from tacit.errors import TacitError

__all__ = ["app", "main"]

_COMMANDS = (
    "tour",
    "probes",
    "new",
    "run",
    "runs",
    "status",
    "measure",
    "compare",
    "relate",
    "validate",
    "plan",
    "gate",
    "report",
    "export",
    "card",
    "serve",
    "fill",
    "choose",
    "likelihood",
    "doctor",
    "standards",
    "harvest",
)
_WITH_TABLES = {
    "relate",
    "plan",
    "standards",
    "probes",
    "run",
    "runs",
    "status",
    "compare",
    "validate",
    "fill",
    "choose",
    "likelihood",
    "doctor",
}
_GROUPS = ("rate", "models", "data", "tune", "cache")
_DEBUG = "TACIT_DEBUG"
"""The environment variable that lets the traceback of an unknown error through."""

app = typer.Typer(
    help="Measure what pre-trained language models tacitly believe.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


class _StoppedError(BaseException):
    """Ctrl-C or SIGTERM. Not a KeyboardInterrupt, which typer would turn into a bare "Aborted."."""

    def __init__(self, number: int) -> None:
        self.number = number


def main() -> None:
    """Run the command line; an error that the user can fix is one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names need not be valid text: show them escaped.
            stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    warnings.showwarning = _show_warning
    try:
        # With --json, wrong usage is an error with a kind, too, and not typer's box.
        if code := app(standalone_mode=JSON_OPTION not in sys.argv):
            sys.exit(code)
    except TacitError as error:
        _fail(str(error), type(error).__name__)
    except OSError as error:
        # The last net: a file that vanished, a full disk, a name that is too long.
        named = f" ({str(error.filename)[:200]})" if error.filename is not None else ""
        _fail(f"{error.strerror or error}{named}. Check the path, its permissions and the space on the disk.")
    except MemoryError:
        _fail("The memory is used up. Use a smaller model, fewer models at once, or a machine with more memory.")
    except _StoppedError as stopped:
        typer.echo("\nStopped; the same command continues.", err=True)
        sys.exit(128 + stopped.number)
    except SystemExit:
        raise
    except BaseException as error:
        _fail_if_usage(error)
        if os.environ.get(_DEBUG):
            raise
        _fail(
            f"This should not happen: {_place(error)}. Finished work is not lost. Please report this sentence with the "
            f"traceback that the command shows when {_DEBUG}=1 is set."
        )


def _fail_if_usage(error: BaseException) -> None:
    """Say what is wrong with the command line; typer does so itself unless it was asked not to."""
    if isinstance(error, typer.Abort):
        sys.exit(1)
    format_message = getattr(error, "format_message", None)  # click's errors, wherever typer keeps their classes
    if format_message is not None:
        _fail(format_message(), "UsageError")


def _place(error: BaseException) -> str:
    """The kind of an error, its first line, and the line of Tacit that it passed last."""
    trace = error.__traceback__
    own = [frame for frame in traceback.extract_tb(trace) if "tacit" in Path(frame.filename).parts]
    where = f" at {Path(own[-1].filename).name}, line {own[-1].lineno}" if own else ""
    message = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{f' ({message})' if message else ''}{where}"


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as one line, without the code that it comes from."""
    say(f"Warning: {message}", err=True)


def _fail(sentence: str, kind: str = "Error") -> None:
    if JSON_OPTION in sys.argv:
        typer.echo(json.dumps({"error": {"kind": kind, "message": sentence}}, ensure_ascii=False), err=True)
    else:
        say(f"tacit: {sentence}", err=True)
    sys.exit(2)


def _stop(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second signal must not interrupt the cleaning up
    raise _StoppedError(number)


def _show_version(show: bool) -> None:
    if show:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[  # noqa: ARG001 - its callback shows it
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_config: NoConfig = False,  # noqa: ARG001 - its callback reads the file
    verbose: Verbose = 0,
    quiet: Quiet = False,
) -> None:
    start_verbosity(verbose, quiet)


for _name in _COMMANDS:
    _command = getattr(import_module(f"tacit.cli.{_name}"), _name)
    app.command(_name)(with_json(_command) if _name in _WITH_TABLES else _command)
for _name in _GROUPS:
    app.add_typer(import_module(f"tacit.cli.{_name}").app, name=_name)
add_shared_options(app)
