"""Methods: the papers' ways of measuring, found by name without importing them all."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tacit.errors import TacitError

__all__ = ["METHODS", "get_method"]

METHODS = {
    "valence": "tacit.methods.valence:Valence",
    "hierarchy": "tacit.methods.hierarchy:Hierarchy",
    "association": "tacit.methods.association:Association",
    "shift": "tacit.methods.shift:Shift",
    "counterknowledge": "tacit.methods.counterknowledge:Counterknowledge",
    "contrast": "tacit.methods.contrast:Contrast",
    "prefix": "tacit.methods.downstream:Prefix",
}


def get_method(name: str) -> Any:
    """The method of that name."""
    if name not in METHODS:
        raise TacitError(f"There is no method {name!r}: the methods are {', '.join(METHODS)}.")
    module, _, attribute = METHODS[name].partition(":")
    return getattr(import_module(module), attribute)()
