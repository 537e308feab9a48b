"""What a user may set about the contrast method."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import model_validator

from tacit.methods.base import Settings

__all__ = ["ContrastSettings"]


class ContrastSettings(Settings):
    """What is asked, and whether the answers come from elsewhere."""

    bare: bool = True
    """Whether to ask without context too, where the probe says how."""
    causal: Literal["whole", "next"] = "whole"
    """Causal models: weigh whole sentences (ranks among a shortlist), or the next word (ranks in the vocabulary)."""
    language: str = "en"
    """The language in which word frequencies are looked up."""
    answers: Path | None = None
    """A table of ranks found elsewhere, scored instead of asking a model."""
    people: Path | None = None
    """What people chose (`tacit rate import`), scored instead of asking a model."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if self.answers is not None and self.people is not None:
            raise ValueError("give answers or people, not both")
        return self
