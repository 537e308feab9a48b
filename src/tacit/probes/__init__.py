"""Probes: methods with materials, under a name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.probes.loading import FileName, MaterialsShape, Paper, Probe, load_probe, probe_names

__all__ = ["FileName", "MaterialsShape", "Paper", "Probe", "load_probe", "probe_names"]


def __getattr__(name: str) -> Any:
    # Imported on first use: `import tacit` imports this package, and must not wait for pydantic.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("tacit.probes.loading"), name)
