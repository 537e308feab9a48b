"""One line about what takes long, on a terminal; silent elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

__all__ = ["status"]


@contextmanager
def status(text: str) -> Iterator[None]:
    """Show a text while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(text):
        yield
