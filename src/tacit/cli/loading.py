"""Loading a model while somebody waits in front of a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = ["load", "say_loading"]


def say_loading(name: str) -> None:
    """Say in a terminal what takes so long; the first time, torch alone takes seconds."""
    if sys.stderr.isatty():
        note(f"Loading {name} …", err=True)


def load(name: str, **options: Any) -> Model:
    """Load a model as `tacit.load` does, and say so."""
    say_loading(name)
    from tacit.models import load as load_model

    return load_model(name, **options)
