"""JSON Lines: one object a line, whose keys are the columns."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tacit.errors import MaterialsError
from tacit.tables.files import read_text
from tacit.tables.rows import Row, check_heading, make_row, refuse

__all__ = ["parse_json", "read_jsonl", "row_of_object"]


def read_jsonl(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a JSON Lines file, as `read_csv` would give them."""
    rows = list(_rows(path, columns, optional))
    if not rows:
        raise MaterialsError(f"{path} has no rows. Write one JSON object a line.")
    return rows


def _rows(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[Row]:
    checked: list[str] | None = None
    # Only "\n" ends a line: JSON may hold the other separators that `splitlines` knows inside a string.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        fields = _parse_line(path, number, line)
        if list(fields) != checked:
            checked = list(fields)
            check_heading(f"{path}, line {number}", checked, columns)
        row = row_of_object(path, number, fields, columns, optional)
        if row is not None:
            yield row


def row_of_object(
    path: Path, number: int, fields: dict[str, Any], columns: Sequence[str], optional: Sequence[str]
) -> Row | None:
    """A row of parsed values; a value that no cell can hold is refused where its column is needed."""
    known = {*columns, *optional}
    cells = {name.strip(): _cell(path, number, name, value, name.strip() in known) for name, value in fields.items()}
    return make_row(path, number, cells, columns, optional)


def parse_json(text: str) -> Any:
    """JSON with numbers as the texts that a CSV would have: integers as written, others as Python shows them.

    Raises:
        ValueError: It is not JSON, a key occurs twice, or a number is not finite.
        RecursionError: It is nested too deeply.
    """
    return json.loads(
        text, parse_int=str, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_without_doubles
    )


def _parse_line(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        fields = parse_json(line)
    except json.JSONDecodeError as error:
        problem = f"not readable as JSON ({error.msg}, column {error.colno}). Write one object a line."
        raise refuse(path, number, problem) from None
    except ValueError as error:
        raise refuse(path, number, str(error)) from None
    except RecursionError:
        raise refuse(path, number, "nested too deeply. Write one flat object a line.") from None
    if not isinstance(fields, dict):
        raise refuse(path, number, f"a line must hold one object ({{...}}), not {_kind(fields)}.")
    return fields


def _finite(number: str) -> str:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is not a finite number. Write null where there is none.")
    return repr(value)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {doubled!r} occurs twice. Keep one.")
    return fields


def _cell(path: Path, number: int, name: str, value: Any, needed: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        if needed:
            problem = f"{name} must be a text or a number, not {_kind(value)}. Write one value in each cell."
            raise refuse(path, number, problem)
        return "nested"  # a column that nobody reads; the row is not empty
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise refuse(path, number, f"{name} contains half of a character. Write it as UTF-8.")
    return value


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else "a single value"
