"""Reading what people write, CSV and YAML, so that every error names the file and the line."""

from __future__ import annotations

import csv
import io
import math
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.nodes import MappingNode, SequenceNode

from tacit.errors import MaterialsError

__all__ = [
    "LINE",
    "Row",
    "finite_number",
    "read_csv",
    "read_text",
    "read_yaml",
    "refuse",
    "require_unique",
    "yaml_lines",
]

LINE = "line"
Row = dict[str, str]

LARGEST_TABLE = 512 * 1024 * 1024
LARGEST_YAML = 1024 * 1024
DEEPEST_YAML = 32


def refuse(path: Path, row: Row | int, problem: str) -> MaterialsError:
    """The error for one row of a file: `raise refuse(path, row, "rho must be a number, not 'x'")`."""
    line = row if isinstance(row, int) else int(row[LINE])
    return MaterialsError(f"{path}, line {line}: {problem}")


def read_text(path: Path, largest: int = LARGEST_TABLE) -> str:
    """The text of a regular UTF-8 file of bounded size; devices, pipes and folders are refused unread."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise MaterialsError(f"{path} is a folder where a file is needed.")
        if not stat.S_ISREG(found.st_mode):
            raise MaterialsError(f"{path} is not a regular file. Give a file on disk.")
        if found.st_size > largest:
            size = f"{found.st_size / 1e6:,.0f} MB"
            raise MaterialsError(f"{path} is too large ({size}; at most {largest / 1e6:,.0f} MB). Split or shorten it.")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise MaterialsError(f"There is no file {path}.") from None
    except UnicodeDecodeError as error:
        raise MaterialsError(f"{path} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MaterialsError(f"{str(path)[:200]!r} cannot be read: {reason}.") from None


def read_csv(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a CSV file as stripped strings.

    Args:
        path: The file, UTF-8 with or without a mark.
        columns: The columns that it must have.
        optional: Columns that it may have; where they are missing their cells are empty. Others are left out.

    Returns:
        One dictionary per row; `line` is its line in the file.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        rows = list(_rows(path, reader, columns, optional))
    except csv.Error as error:
        raise refuse(path, reader.line_num, f"not readable as CSV ({error}).") from None
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
            raise refuse(path, row, f"{' and '.join(columns)} {shown} also stand on line {seen[key]}. Keep one.")
        seen[key] = row[LINE]


def finite_number(path: Path, row: Row, column: str) -> float:
    """The number in a cell; text, NaN and infinity are refused."""
    try:
        value = float(row[column])
    except ValueError:
        raise refuse(path, row, f"{column} must be a number, not {row[column]!r}.") from None
    if not math.isfinite(value):
        raise refuse(path, row, f"{column} must be a finite number, not {row[column]!r}.")
    return value


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping, loaded safely: no tags, no aliases, no deep nesting."""
    text = read_text(path, LARGEST_YAML)
    try:
        _require_plain(path, text)
        loaded = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise MaterialsError(f"{path}, line {line}: {error.problem}.") from None
    except (YAMLError, ValueError, TypeError, OverflowError) as error:
        raise MaterialsError(f"{path} is not YAML: {str(error).splitlines()[0] if str(error) else error!r}.") from None
    if not isinstance(loaded, dict):
        raise MaterialsError(f"{path} must hold a mapping (name: value), not {type(loaded).__name__}.")
    strange = next((key for key in loaded if not isinstance(key, str)), None)
    if strange is not None:
        raise MaterialsError(f"{path}: the key {strange!r} is not text. Put it in quotes.")
    _require_alike_keys(path, loaded)
    return loaded


def _require_alike_keys(path: Path, loaded: Any) -> None:
    """Refuse a mapping that mixes text and other keys: they have no order, so the same file would not hash the same."""
    pending = [loaded]
    while pending:
        value = pending.pop()
        if isinstance(value, dict) and len({_kind_of_key(key) for key in value}) > 1:
            keys = ", ".join(repr(key) for key in list(value)[:5])
            raise MaterialsError(f"{path}: the keys {keys} are not all text. Put them in quotes.")
        pending += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []


def _kind_of_key(key: object) -> str:
    return "number" if isinstance(key, int | float) else type(key).__name__


def yaml_lines(path: Path) -> dict[tuple[str, ...], int]:
    """The line of each key and list entry in a YAML file, by the keys that lead to it.

    For example `{("materials", "words"): 12, ("kinds", "0"): 14, ("kinds", "0", "name"): 14}`.
    """
    root = YAML(typ="safe", pure=True).compose(read_text(path, LARGEST_YAML))
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


def _require_plain(path: Path, text: str) -> None:
    """Refuse aliases, which can make a page of text fill the memory, and nesting that no probe needs."""
    depth = 0
    for event in YAML(typ="safe", pure=True).parse(text):
        if isinstance(event, AliasEvent):
            line = event.start_mark.line + 1
            raise MaterialsError(f"{path}, line {line}: aliases (*{event.anchor}) are not read. Write the value out.")
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > DEEPEST_YAML:
            line = event.start_mark.line + 1
            raise MaterialsError(f"{path}, line {line}: nested more than {DEEPEST_YAML} levels deep. Make it flatter.")


def _rows(path: Path, reader: Any, columns: Sequence[str], optional: Sequence[str]) -> Iterator[Row]:
    heading = _heading(path, next(reader, []), columns)
    known = {*columns, *optional}
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(heading):
            problem = f"{len(cells)} cells where the heading has {len(heading)}. Quote text that contains commas."
            raise refuse(path, reader.line_num, problem)
        row = {name: cell.strip() for name, cell in zip(heading, cells, strict=True) if name in known}
        if any("\0" in cell for cell in row.values()):
            raise refuse(path, reader.line_num, "a cell contains a NUL character. Remove it.")
        yield {**dict.fromkeys(optional, ""), **row, LINE: str(reader.line_num)}


def _heading(path: Path, cells: list[str], columns: Sequence[str]) -> list[str]:
    heading = [name.strip() for name in cells]
    for name in heading:
        if any(unicodedata.category(character) == "Cc" for character in name):
            raise MaterialsError(f"{path}, line 1: the heading {name!r} contains a control character. Remove it.")
        if name and heading.count(name) > 1:
            raise MaterialsError(f"{path}, line 1: the column {name!r} occurs twice. Keep one.")
    missing = [name for name in columns if name not in heading]
    if missing:
        has = ", ".join(heading) or "none"
        raise MaterialsError(f"{path}, line 1: the column {missing[0]!r} is missing. It has {has}.")
    return heading
