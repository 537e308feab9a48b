"""Progress on a terminal, with rate and remaining time; silent elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["OnStep", "Watcher", "announced", "hide_progress", "is_hidden", "watching", "watching_steps"]

PATIENCE = 2.0
"""Seconds of work after which its steps are shown."""

OnStep: TypeAlias = Callable[[str, int, int], object]
"""Called before each step of a longer job: what is being done, how many of its steps are done, and of how many."""

_hidden = False


def hide_progress(hidden: bool = True) -> None:
    """Show no progress in this process from now on, whoever asks for it; False takes that back."""
    global _hidden  # noqa: PLW0603 - there is one terminal
    _hidden = hidden


def is_hidden() -> bool:
    """Whether no progress is to be shown."""
    return _hidden


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
    if not progress or _hidden or not console.is_terminal:
        yield Watcher()
        return
    title = progress if isinstance(progress, str) else "asking"
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn()
    with Progress(*columns, console=console) as display:
        yield Watcher(display, total, title)


@contextmanager
def watching_steps() -> Iterator[OnStep]:
    """Show the steps of a job that computes without asking, once it takes longer than two seconds."""
    console = Console(stderr=True)
    if _hidden or not console.is_terminal:
        yield lambda *_: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    steps = _Steps(Progress(*columns, console=console, transient=True))
    timer = threading.Timer(PATIENCE, steps.appear)
    timer.daemon = True
    if PATIENCE > 0:
        timer.start()
    else:
        steps.appear()
    try:
        yield steps.on_step
    finally:
        timer.cancel()
        steps.disappear()


Item = TypeVar("Item")


def announced(items: Sequence[Item], title: Callable[[Item], str], on_step: OnStep | None) -> Iterator[Item]:
    """The items one after the other, each announced before its turn, under a title."""
    for done, item in enumerate(items):
        if on_step is not None:
            on_step(title(item), done, len(items))
        yield item


class _Steps:
    """One line for the job at hand; the next job of the same command takes its place."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)
        self._is_over = False
        self._lock = threading.Lock()

    def on_step(self, what: str, done: int, total: int) -> None:
        """Show what is being done, and how much of it is."""
        if not done:
            self._progress.reset(self._task, total=total)
        self._progress.update(self._task, description=what, completed=done)

    def appear(self) -> None:
        """Start drawing, unless the job has ended in the meantime."""
        with self._lock:
            if not self._is_over:
                self._progress.start()

    def disappear(self) -> None:
        """Stop drawing and clear the line."""
        with self._lock:
            self._is_over = True
            self._progress.stop()
