"""Options that commands take without writing them down: --verbose and --quiet, and --threads where a model is asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from tacit.cli.options import Quiet, Threads, Verbose
from tacit.cli.verbosity import set_verbosity

__all__ = ["add_shared_options"]


def add_shared_options(app: typer.Typer) -> None:
    """Give the options to every command of an application, and of the groups in it."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _with_options(command.callback)
    for group in app.registered_groups:
        inner = group.typer_instance
        if inner is None:
            continue
        if inner.registered_callback is not None and inner.registered_callback.callback is not None:
            inner.registered_callback.callback = _with_options(inner.registered_callback.callback)
        add_shared_options(inner)


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(command, eval_str=True)
    asks_a_model = "model" in signature.parameters

    @wraps(command)
    def with_options(
        *args: Any, threads: int | None = None, verbose: int = 0, quiet: bool = False, **options: Any
    ) -> Any:
        set_verbosity(verbose, quiet)
        if asks_a_model:
            from tacit.models import set_threads

            set_threads(threads)
        return command(*args, **options)

    shared = [*([("threads", None, Threads)] if asks_a_model else []), ("verbose", 0, Verbose), ("quiet", False, Quiet)]
    own = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, default, option in shared
    ]
    with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *own]
    )
    return with_options
