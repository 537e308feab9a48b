"""Tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.cli.json_output import collect_table

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
    table = Table(title=title, title_justify="left", title_style="dim", header_style="bold", box=SIMPLE_HEAD)
    for number, name in enumerate(heading):
        is_count = bool(rows) and isinstance(rows[0][number], int)
        table.add_column(name, justify="right" if is_count else "left", overflow="fold")
    for row in rows[:most]:
        table.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        # A file or a pipe has no right edge, so long folder names need not be wrapped.
        console.width = 240
    console.print(table)
    if len(rows) > most:
        console.print(f"{len(rows) - most} more rows", style="dim")
