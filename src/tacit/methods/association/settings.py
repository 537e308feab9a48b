"""What a user may set about the association method."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from tacit.methods.sentiment.materials import (
    SentimentSettings,
)

__all__ = ["AssociationSettings"]


class AssociationSettings(SentimentSettings):
    """How far apart the means must be, and at which rate false findings are allowed."""

    thresholds: tuple[float, ...] = (0.5, 1.0, 1.5)
    """The study's m: how many standard deviations."""
    false_discoveries: float = Field(0.05, gt=0, lt=1)
    """A word leans if its p-value, corrected by Benjamini and Hochberg among the words of its polarity, is smaller."""

    @field_validator("thresholds", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return given.split(",") if isinstance(given, str) else given

    @field_validator("thresholds")
    @classmethod
    def _not_negative(cls, given: tuple[float, ...]) -> tuple[float, ...]:
        if not given or min(given) < 0:
            raise ValueError("thresholds are numbers from 0, such as 0.5,1,1.5")
        return given
