"""The one kind of error that a user sees: a sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

__all__ = ["TacitError"]


class TacitError(Exception):
    """Something the user can mend. The command line prints it as one sentence and exits with code 2."""
