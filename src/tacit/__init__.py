"""Tacit measures what pre-trained language models tacitly believe."""

from __future__ import annotations

import logging
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

# Before the function `probes` below: importing a subpackage later would put the package in the function's place.
import tacit.probes  # noqa: F401
from tacit._version import __version__
from tacit.errors import ArgumentError, MaterialsError, ModelError, RunError, TacitError

if TYPE_CHECKING:
    from tacit.asking import ask
    from tacit.gates import gate
    from tacit.models import Model, load
    from tacit.questions import Choose, Classify, Fill, Likelihood, Represent
    from tacit.reports import report
    from tacit.runs import Run, compare, open_run, run

__all__ = [
    "ArgumentError",
    "Choose",
    "Classify",
    "Fill",
    "Likelihood",
    "MaterialsError",
    "Model",
    "ModelError",
    "Represent",
    "Run",
    "RunError",
    "TacitError",
    "__version__",
    "ask",
    "compare",
    "gate",
    "load",
    "open_run",
    "probes",
    "report",
    "run",
]

# What Tacit does is logged under `tacit`; a program that uses it decides whether anybody sees that.
logging.getLogger(__name__).addHandler(logging.NullHandler())

# Imported on first use: `import tacit` and `tacit --help` must not wait seconds for torch or polars.
_HOMES = {
    "ask": "tacit.asking",
    "gate": "tacit.gates",
    "load": "tacit.models",
    "Model": "tacit.models",
    "Choose": "tacit.questions",
    "Classify": "tacit.questions",
    "Fill": "tacit.questions",
    "Likelihood": "tacit.questions",
    "Represent": "tacit.questions",
    "Run": "tacit.runs",
    "compare": "tacit.runs",
    "open_run": "tacit.runs",
    "run": "tacit.runs",
    "report": "tacit.reports",
}


def probes() -> dict[str, str]:
    """The probes that can be run by name, those of installed packages included.

    Returns:
        The title of each probe, by its name.
    """
    from tacit.probes import load_probe, probe_names  # noqa: PLC0415 - keeps `import tacit` quick

    return {name: load_probe(name).title for name in probe_names()}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _packages():
        return import_module(f"tacit.{name}")
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_packages()})


def _packages() -> list[str]:
    """The modules and packages of Tacit that can be used from Python, such as `tacit.statistics`."""
    names = (module.name for module in iter_modules(__path__))
    return [name for name in names if not name.startswith("_") and name != "cli"]
