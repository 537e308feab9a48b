"""What a user may set for the valence method."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from tacit.methods.base import Settings
from tacit.ratings import Aggregate

__all__ = ["ValenceSettings"]


class ValenceSettings(Settings):
    """How many fillings count, how they are weighted, and what happens to unrated ones."""

    top: int = Field(default=5, ge=1, le=10_000)
    """How many of the likeliest fillings count; the study uses 5."""
    collect: int = Field(default=10, ge=1, le=10_000)
    """How many fillings to ask for and keep, so that `top` can be raised and sub-words dropped later."""
    renormalise: bool = True
    """Scale the top probabilities to sum to one, as the study does. If false, beta is the plain sum, and the
    remaining probability counts as the middle of the scale."""
    subwords: Literal["keep", "drop"] = "keep"
    """Whether continuations such as `##ists` count among the top fillings, as in the study."""
    min_rated: float = Field(default=0.75, ge=0, le=1)
    """The share of the probability mass that must be rated for a sentence to have a beta of its own; below it, the
    sentence enters the mean of its group with the middle of its bounds. At 0.75, on a scale from -1 to 1, the bounds of
    a counted sentence are at most 0.5 apart: one step of the study's five points."""
    aggregate: Aggregate = "mean"
    """How the scores of several raters are combined."""
    raters: tuple[str, ...] = ()
    """Raters to include; empty means all."""

    @field_validator("raters", mode="before")
    @classmethod
    def _split_names(cls, given: object) -> object:
        return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _require_published_choices(self) -> ValenceSettings:
        if self.mode == "as-published" and not (self.renormalise and self.subwords == "keep"):
            raise ValueError(
                "mode=as-published needs renormalise=true and subwords=keep, as in the study. "
                "Drop these settings, or use mode=corrected"
            )
        return self
