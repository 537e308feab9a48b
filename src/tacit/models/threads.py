"""How many processor threads a model computes with. Kept here until torch is there, which takes seconds to import."""

from __future__ import annotations

import sys

from tacit.arguments import wrong_argument

__all__ = ["apply_threads", "set_threads", "thread_count"]

_count: int | None = None


def set_threads(count: int | None) -> None:
    """Choose the number of threads for models in this process, and for each worker of a cluster.

    Args:
        count: At least 1; None leaves it to torch (a worker of a cluster then uses one).
    """
    global _count  # noqa: PLW0603 - torch has one number for the process, too
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise wrong_argument("count", "a number of threads from 1 on, or None", count)
    _count = count
    if "torch" in sys.modules:
        apply_threads()


def thread_count() -> int | None:
    """The number of threads that was chosen, if one was."""
    return _count


def apply_threads() -> None:
    """Tell torch; called wherever a model is loaded."""
    if _count is not None:
        import torch  # noqa: PLC0415 - takes seconds

        torch.set_num_threads(_count)
