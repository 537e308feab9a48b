"""The errors that a user sees: one sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

__all__ = ["ArgumentError", "MaterialsError", "ModelError", "RunError", "TacitError"]


class TacitError(Exception):
    """Something that the user can fix. The command line prints it as one sentence and exits with code 2."""

    def __str__(self) -> str:
        """The sentence on one line, whatever names of files it quotes."""
        return super().__str__().replace("\n", "\\n").replace("\r", "\\r")


class ArgumentError(TacitError):
    """An argument of a Python call has a wrong type or is out of its range; the message names the argument."""


class ModelError(TacitError):
    """A model cannot be loaded, or cannot answer a question."""


class MaterialsError(TacitError):
    """A probe, its materials or its settings are wrong."""


class RunError(TacitError):
    """A run folder cannot be used: it is damaged, interrupted, or holds something else."""
