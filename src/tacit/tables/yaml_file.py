"""YAML that people write, loaded safely, so that every error names the file and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.nodes import MappingNode, SequenceNode

from tacit.arguments import shown_value
from tacit.errors import MaterialsError
from tacit.tables.files import read_text
from tacit.tables.yaml_problems import plain_syntax_problem

__all__ = ["read_yaml", "yaml_lines"]

LARGEST_YAML = 1024 * 1024
DEEPEST_YAML = 32


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping, loaded safely: no tags, no aliases, no deep nesting."""
    text = read_text(path, LARGEST_YAML)
    try:
        _require_plain(path, text)
        loaded = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise MaterialsError(f"{path}, line {line}: {plain_syntax_problem(error)}") from None
    except (YAMLError, ValueError, TypeError, OverflowError) as error:
        raise MaterialsError(f"{path} is not YAML: {str(error).splitlines()[0] if str(error) else error!r}.") from None
    if loaded is None:
        raise MaterialsError(f"{path} is empty. Write names with values (name: value), one on a line.")
    if not isinstance(loaded, dict):
        kind = "a list" if isinstance(loaded, list) else f"only {shown_value(loaded)}"
        raise MaterialsError(f"{path} must hold names with values (name: value), not {kind}.")
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
