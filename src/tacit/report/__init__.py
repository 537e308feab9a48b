"""The report: figures and pages. `tacit.report(runs, "report.html")` calls the package itself."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

__all__ = ["report"]


def report(*arguments: Any, **named: Any) -> Any:
    """Write one self-contained page about runs; see `tacit.report.page.report`."""
    from tacit.report.page import report as write  # noqa: PLC0415 - figures alone must not wait for the page

    return write(*arguments, **named)


class _Callable(ModuleType):
    """The name `report` is both this room and the verb of the Python API; whichever is met first, both work."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return report(*arguments, **named)


sys.modules[__name__].__class__ = _Callable
