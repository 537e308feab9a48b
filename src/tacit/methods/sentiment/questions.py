"""The prompt that follows a review, as each family of models is asked it."""

from __future__ import annotations

from tacit.methods.base import Family
from tacit.questions import BLANK, split_blank

__all__ = ["prompt_for"]

_CLOSING = " .!?…"


def prompt_for(prompt: str, family: Family) -> str:
    """The prompt for this family. A causal model continues the text, so closing punctuation after the blank is cut."""
    before, after = split_blank(prompt)
    return before + BLANK if family == "causal" and not after.strip(_CLOSING) else prompt
