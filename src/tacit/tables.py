"""Reading what people write, CSV and YAML, so that every complaint names the file and the line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, SequenceNode

from tacit.errors import MaterialsError

__all__ = ["LINE", "Row", "read_csv", "read_yaml", "refuse", "require_unique", "yaml_lines"]

LINE = "line"
Row = dict[str, str]


def refuse(path: Path, row: Row | int, problem: str) -> MaterialsError:
    """The error for one row of a file: `raise refuse(path, row, "rho must be a number, not 'x'")`."""
    line = row if isinstance(row, int) else int(row[LINE])
    return MaterialsError(f"{path}, line {line}: {problem}")


def read_csv(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a CSV as stripped strings, with `line` their line in the file; UTF-8 with or without a mark."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(_rows(path, csv.reader(file, strict=True), columns, optional))
    except FileNotFoundError:
        raise MaterialsError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise MaterialsError(f"{path} is a folder; a CSV file is needed.") from None
    except UnicodeDecodeError as error:
        raise MaterialsError(f"{path} is not UTF-8 (byte {error.start}): save it as CSV UTF-8.") from None
    if not rows:
        raise MaterialsError(f"{path} has no rows below its heading.")
    return rows


def require_unique(path: Path, rows: Iterable[Row], *columns: str) -> None:
    """Refuse a file in which two rows have the same values in these columns."""
    seen: dict[tuple[str, ...], str] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        if key in seen:
            shown = ", ".join(repr(value) for value in key)
            raise refuse(path, row, f"{' and '.join(columns)} {shown} stand on line {seen[key]} already; keep one.")
        seen[key] = row[LINE]


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping, loaded safely."""
    try:
        loaded = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MaterialsError(f"There is no file {path}.") from None
    except UnicodeDecodeError:
        raise MaterialsError(f"{path} is not a UTF-8 text file.") from None
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise MaterialsError(f"{path}, line {line}: {error.problem}.") from None
    except YAMLError as error:
        raise MaterialsError(f"{path} is not YAML: {error}.") from None
    if not isinstance(loaded, dict):
        raise MaterialsError(f"{path} must hold a mapping (name: value), not {type(loaded).__name__}.")
    return loaded


def yaml_lines(path: Path) -> dict[tuple[str, ...], int]:
    """The line of each key and list entry in a YAML file, by the keys that lead to it.

    For example `{("materials", "words"): 12, ("kinds", "0"): 14, ("kinds", "0", "name"): 14}`.
    """
    root = YAML(typ="safe", pure=True).compose(path.read_text(encoding="utf-8"))
    lines: dict[tuple[str, ...], int] = {}
    pending: list[tuple[tuple[str, ...], Any]] = [((), root)]
    while pending:
        keys, node = pending.pop()
        if isinstance(node, SequenceNode):
            for number, entry in enumerate(node.value):
                lines[*keys, str(number)] = entry.start_mark.line + 1
                pending.append(((*keys, str(number)), entry))
        if not isinstance(node, MappingNode):
            continue
        for key, value in node.value:
            named = (*keys, str(key.value))
            lines[named] = key.start_mark.line + 1
            pending.append((named, value))
    return lines


def _rows(path: Path, reader: Any, columns: Sequence[str], optional: Sequence[str]) -> Iterable[Row]:
    heading = [name.strip() for name in next(reader, [])]
    missing = [name for name in columns if name not in heading]
    if missing:
        raise MaterialsError(
            f"{path}, line 1: the column {missing[0]!r} is missing; it has {', '.join(heading) or 'none'}."
        )
    known = {*columns, *optional}
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(heading):
                problem = f"{len(cells)} cells where the heading has {len(heading)}; quote text that contains commas."
                raise refuse(path, reader.line_num, problem)
            row = {name: cell.strip() for name, cell in zip(heading, cells, strict=True) if name in known}
            yield {**dict.fromkeys(optional, ""), **row, LINE: str(reader.line_num)}
    except csv.Error as error:
        raise refuse(path, reader.line_num, f"not readable as CSV ({error}).") from None
