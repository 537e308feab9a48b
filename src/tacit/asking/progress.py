"""Progress on a terminal, with rate and remaining time; silent elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["Watcher", "watching"]


class Watcher:
    """Counts answered questions on a progress bar, if there is one."""

    def __init__(self, progress: Progress | None = None, total: int | None = None, title: str = "") -> None:
        self._progress = progress
        self._task = progress.add_task(title, total=total) if progress else None

    def advance(self, count: int) -> None:
        """Count `count` more answers."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, count)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Questions per second."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")


@contextmanager
def watching(progress: bool | str, total: int | None) -> Iterator[Watcher]:
    """Show the progress of one job while the block runs.

    Args:
        progress: Whether to show anything; a text is shown as the title.
        total: How many questions there are, if known.
    """
    console = Console(stderr=True)
    if not progress or not console.is_terminal:
        yield Watcher()
        return
    title = progress if isinstance(progress, str) else "asking"
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn()
    with Progress(*columns, console=console) as display:
        yield Watcher(display, total, title)
