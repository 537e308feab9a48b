"""Finding and reading `tacit.toml`, and the line of each of its keys."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.errors import MaterialsError
from tacit.tables import read_text

__all__ = ["CONFIG_NAME", "CONFIG_VARIABLE", "ConfigFile", "find_config"]

CONFIG_NAME = "tacit.toml"
CONFIG_VARIABLE = "TACIT_CONFIG"
_LARGEST = 1024 * 1024


@dataclass(frozen=True)
class ConfigFile:
    """A file of defaults.

    Attributes:
        path: The file, as errors name it.
        trusted: Whether the user named it, and did not just work in or below its folder.
        content: What it says.
        text: The same as it is written.
    """

    path: Path
    trusted: bool
    content: dict[str, Any]
    text: str

    @property
    def folder(self) -> Path:
        """Where its relative paths start."""
        return self.path.parent

    def refuse(self, keys: Sequence[str], problem: str) -> MaterialsError:
        """The error for one key."""
        line = _key_line(self.text, tuple(keys))
        where = f"{self.path}, line {line}" if line else str(self.path)
        return MaterialsError(f"{where}: {problem}")


def find_config() -> ConfigFile | None:
    """The file that `TACIT_CONFIG` names (none if that is empty), or else the nearest `tacit.toml`.

    It is looked for in the current folder and those above it, up to the first that holds a `.git`, the home folder, or
    the top.
    """
    named = os.environ.get(CONFIG_VARIABLE)
    if named is not None:
        return _read(Path(named), trusted=True) if named else None
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return None  # the current folder was removed; commands that need it say so
    for folder in (here, *here.parents):
        if (folder / CONFIG_NAME).is_file():
            return _read(Path(os.path.relpath(folder / CONFIG_NAME)), trusted=False)
        if (folder / ".git").exists() or folder == Path.home():
            return None
    return None


def _read(path: Path, *, trusted: bool) -> ConfigFile:
    text = read_text(path, _LARGEST)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        line = re.search(r"\(at line (\d+), column \d+\)", message)
        where = f"{path}, line {line[1]}" if line else str(path)
        problem = " ".join(re.sub(r" \(at .*\)$", "", message).split())
        raise MaterialsError(f"{where}: not readable as TOML ({problem}).") from None
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise MaterialsError(f"{path} is not readable as TOML ({reason}).") from None
    return ConfigFile(path, trusted, content, text)


def _key_line(text: str, keys: tuple[str, ...]) -> int | None:
    """The line that writes a key, or the nearest table around it; None if it is written in an unusual way."""
    table: tuple[str, ...] = ()
    lines: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        heading = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
        assigned = re.match(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""", line)
        if heading and not assigned:
            table = _split_key(heading[1])
            lines.setdefault(table, number)
        elif assigned:
            key = (*table, *_split_key(assigned[1]))
            for end in range(len(table) + 1, len(key) + 1):
                lines.setdefault(key[:end], number)
    return next((lines[keys[:end]] for end in range(len(keys), 0, -1) if keys[:end] in lines), None)


def _split_key(written: str) -> tuple[str, ...]:
    parts = re.findall(r"""[\w-]+|"[^"]*"|'[^']*'""", written)
    return tuple(part.strip("\"'") for part in parts)
