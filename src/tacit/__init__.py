"""Tacit measures what pre-trained language models tacitly believe."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit._version import __version__
from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.asking import ask
    from tacit.models import Model, load
    from tacit.questions import Choose, Classify, Fill, Likelihood, Represent
    from tacit.reports import report
    from tacit.runs import Run, compare, run

# Found on first use: `import tacit` and `tacit --help` must not wait seconds for torch.
_LAZY = {
    "ask": "tacit.asking",
    "load": "tacit.models",
    "Model": "tacit.models",
    "Choose": "tacit.questions",
    "Classify": "tacit.questions",
    "Fill": "tacit.questions",
    "Likelihood": "tacit.questions",
    "Represent": "tacit.questions",
    "Run": "tacit.runs",
    "compare": "tacit.runs",
    "run": "tacit.runs",
    "report": "tacit.reports",
}

__all__ = [
    "Choose",
    "Classify",
    "Fill",
    "Likelihood",
    "Model",
    "Represent",
    "Run",
    "TacitError",
    "__version__",
    "ask",
    "compare",
    "load",
    "report",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
