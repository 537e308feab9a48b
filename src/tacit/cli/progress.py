"""The progress bar that every long command shows: how far, how fast, how long yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["console", "watch"]

console = Console(stderr=True, highlight=False)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Answers a second."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed else "", style="dim")


@contextmanager
def watch(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar while the run goes on; the number of answers is told to what this gives."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.update(task, completed=done)
