"""`--json`: what a command would show as tables, as one JSON document; everything else it says goes to stderr."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any

import typer

__all__ = ["JSON_OPTION", "collect_table", "collecting_tables", "with_json"]

JSON_OPTION = "--json"
_tables: ContextVar[list[dict[str, Any]] | None] = ContextVar("_tables", default=None)


def collect_table(title: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Keep a table for the document; False if the command is not asked for JSON and should show it."""
    tables = _tables.get()
    if tables is None:
        return False
    tables.append({"title": title, "rows": list(rows)})
    return True


def collecting_tables() -> bool:
    """Whether the command is asked for JSON."""
    return _tables.get() is not None


def with_json(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the option --json."""

    @wraps(command)
    def with_option(*args: Any, json_: bool = False, **options: Any) -> None:
        if not json_:
            command(*args, **options)
            return
        tables: list[dict[str, Any]] = []
        token = _tables.set(tables)
        out = sys.stdout
        try:
            with redirect_stdout(sys.stderr):
                command(*args, **options)
        finally:
            _tables.reset(token)
            # Also after a failed check (exit code 1), whose table says what failed.
            if tables or sys.exc_info()[0] is None:
                out.write(json.dumps({"tables": tables}, ensure_ascii=False, indent=1, default=str) + "\n")

    parameter = inspect.Parameter(
        "json_",
        inspect.Parameter.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[
            bool, typer.Option(JSON_OPTION, help="Print the tables as JSON, everything else to stderr.")
        ],
    )
    signature = inspect.signature(command, eval_str=True)
    with_option.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), parameter]
    )
    return with_option
