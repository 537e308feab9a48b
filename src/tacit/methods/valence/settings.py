"""What a user may set about the valence method."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from tacit.methods.base import Settings
from tacit.ratings import Aggregate

__all__ = ["ValenceSettings"]


class ValenceSettings(Settings):
    """How many fillings count, how they are weighed, and what is done about those that nobody has rated."""

    top: int = Field(5, ge=1)
    """The n likeliest fillings of the study."""
    collect: int = Field(10, ge=1)
    """How many fillings are asked for and kept, so that `top` may be raised and sub-words dropped later."""
    renormalise: bool = True
    """The top n sum to one, as in the study; if false, beta is the plain sum and the rest counts as the middle."""
    subwords: Literal["keep", "drop"] = "keep"
    """Whether a continuation such as `##ists` counts among the top n, as in the study."""
    min_rated: float = Field(0.75, ge=0, le=1)
    """A sentence with a smaller share of rated mass is reported and not counted: its bounds on a scale from -1 to 1
    lie 0.5 or more apart, a whole step of the study's five points."""
    aggregate: Aggregate = "mean"
    """How the scores of several raters become one."""
    raters: tuple[str, ...] = ()
    """The raters to heed; none means all."""

    @field_validator("raters", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _published_way(self) -> ValenceSettings:
        if self.mode == "as-published" and not (self.renormalise and self.subwords == "keep"):
            raise ValueError(
                "the published figures are renormalised and keep sub-words; set neither, or mode=corrected"
            )
        return self
