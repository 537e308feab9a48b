"""Results as small HTML tables, for notebooks: everything that comes from a model or a file is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any

__all__ = ["AnswerTable", "html_table"]

_MOST_ROWS = 50


def html_table(title: str, lines: Iterable[str], columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A title, a few sentences and a table; long tables are cut.

    Args:
        title: The heading; empty for none.
        lines: Sentences below it.
        columns: The headings of the columns.
        rows: The cells.
    """
    parts = [f"<p><strong>{escape(title)}</strong></p>"] if title else []
    said = "".join(f"<li>{escape(line)}</li>" for line in lines)
    parts += [f"<ul>{said}</ul>"] if said else []
    if rows:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:_MOST_ROWS])
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    if len(rows) > _MOST_ROWS:
        parts.append(f"<p>{len(rows) - _MOST_ROWS:,} more rows</p>")
    return f'<div class="tacit">{"".join(parts)}</div>'


class AnswerTable:
    """Shows an answer as a table of its parts: its fillings, choices, tokens or labels."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        parts = next((value for value in own.values() if isinstance(value, tuple) and _are_parts(value)), ())
        facts = {name: value for name, value in own.items() if value is not parts and not isinstance(value, tuple)}
        said = [f"{name}: {_text(value)}" for name, value in facts.items() if value not in (None, 0, "")]
        names = [field.name for field in fields(parts[0])] if parts else []
        return html_table("", said, names, [[getattr(part, name) for name in names] for part in parts])


def _are_parts(values: tuple[Any, ...]) -> bool:
    return bool(values) and all(is_dataclass(value) for value in values)


def _cell(value: object) -> str:
    align = ' style="text-align:right"' if isinstance(value, float | int) else ' style="text-align:left"'
    return f"<td{align}>{escape(_text(value))}</td>"


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
