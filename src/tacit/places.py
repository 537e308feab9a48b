"""Where Tacit keeps what it can make again: answers, fetched models, hashes."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """`$TACIT_CACHE`, or `tacit` in the user's cache folder."""
    named = os.environ.get("TACIT_CACHE")
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tacit"
