"""Methods by name: the built-in ones and those of installed packages."""

from __future__ import annotations

from typing import Any

from tacit.errors import TacitError
from tacit.methods.base import Method
from tacit.registry import Registry

__all__ = ["get_method", "method_names"]

_METHODS = Registry("tacit.methods", "method")


def method_names() -> list[str]:
    """The names of all methods."""
    return _METHODS.names()


def get_method(name: str) -> Method[Any, Any]:
    """The method of that name."""
    method = _METHODS.get(name)()
    if not isinstance(method, Method):
        raise TacitError(f"The method {name!r} is a {type(method).__name__}: a method extends tacit.methods.Method.")
    return method
