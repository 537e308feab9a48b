"""Progress on a terminal: rate and time left; silent elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["Watcher", "watching"]


class Watcher:
    """Somebody who is told how many questions have been answered."""

    def __init__(self, progress: Progress | None = None, total: int | None = None, title: str = "") -> None:
        self._progress = progress
        self._task = progress.add_task(title, total=total) if progress else None

    def advance(self, count: int) -> None:
        """Count more answers."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, count)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Questions a second."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")


@contextmanager
def watching(progress: bool | str, total: int | None) -> Iterator[Watcher]:
    """A watcher for one job; `progress` may be its title."""
    console = Console(stderr=True)
    if not progress or not console.is_terminal:
        yield Watcher()
        return
    title = progress if isinstance(progress, str) else "asking"
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn()
    with Progress(*columns, console=console) as shown:
        yield Watcher(shown, total, title)
