"""Tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.cli.json_output import collect_table
from tacit.cli.layout import column_widths, wrap

__all__ = ["show"]


def show(
    title: str,
    heading: list[str],
    rows: Iterable[Sequence[object]],
    most: int = 60,
    records: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Print a table with right-aligned numbers, or keep it for the JSON document if the command was asked for one.

    Args:
        title: Printed above it.
        heading: The names of the columns.
        rows: The cells.
        most: How many rows to print; a line says how many are left.
        records: The rows for JSON, if the cells are made for people.
    """
    rows = list(rows)
    if collect_table(title, records if records is not None else [dict(zip(heading, row, strict=True)) for row in rows]):
        return
    shown = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows[:most]]
    counts = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else heading)]
    console = Console()
    if not console.is_terminal:
        # A file or a pipe has no right edge, so long folder names need not be wrapped.
        console.width = 240
    fitted = _fit([heading, *shown], console.width) if console.is_terminal else (3, [])
    if fitted is None:
        _print_blocks(console, title, heading, shown)
    else:
        console.print(_table(title, [heading, *shown], counts, *fitted))
    if len(rows) > most:
        console.print(f"{len(rows) - most} more rows", style="dim")


def _fit(lines: list[list[str]], room: int) -> tuple[int, list[int]] | None:
    """The gap between columns and their widths, so that no word is broken; None if the columns do not fit."""
    for gap in (3, 2):
        widths = column_widths(lines, room - gap * len(lines[0]) - 1)
        if widths is not None:
            return gap, widths
    return None


def _table(title: str, lines: list[list[str]], counts: list[bool], gap: int, widths: list[int]) -> Table:
    """The table, its heading being the first line; without widths, columns are as wide as their longest cell."""
    table = Table(title=title, title_justify="left", title_style="dim", header_style="bold", box=SIMPLE_HEAD)
    table.collapse_padding, table.pad_edge = gap == 2, gap == 3
    heading, *rows = [[wrap(*cell) for cell in zip(line, widths, strict=True)] if widths else line for line in lines]
    for number, (name, is_count) in enumerate(zip(heading, counts, strict=True)):
        width = widths[number] if widths else None
        table.add_column(Text(name), justify="right" if is_count else "left", overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _print_blocks(console: Console, title: str, heading: list[str], rows: list[list[str]]) -> None:
    """A terminal too narrow for the columns shows the rows below each other, a line per cell."""
    if title:
        console.print(Text(title, style="dim"))
    widest = max(map(len, heading))
    for row in rows:
        console.print()
        for name, cell in zip(heading, row, strict=True):
            lines = wrap(cell, max(console.width - widest - 2, 1)).replace("\n", "\n" + " " * (widest + 2))
            console.print(Text.assemble((name.ljust(widest), "bold"), "  ", lines), soft_wrap=True)
