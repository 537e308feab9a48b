"""What a user may set about the association method."""

from __future__ import annotations

from pydantic import Field, field_validator

from tacit.methods.sentiment.settings import SentimentSettings, split_commas

__all__ = ["AssociationSettings"]


class AssociationSettings(SentimentSettings):
    """When a word counts as leaning, by the study's rule and by ours."""

    thresholds: tuple[float, ...] = (0.5, 1.0, 1.5)
    """The study's m: by how many standard deviations the two means must differ."""
    margin: float = Field(0.5, ge=0, le=10)
    """A word leans if Cohen's d is shown to be beyond this, and is neutral if it is shown to be within: half a standard
    deviation, the study's smallest m. Not used in the mode as-published."""
    false_discoveries: float = Field(0.05, gt=0, lt=1)
    """The expected share of false verdicts (Benjamini-Hochberg) among the words of a polarity."""

    @field_validator("thresholds", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return split_commas(value)

    @field_validator("thresholds")
    @classmethod
    def _require_not_negative(cls, thresholds: tuple[float, ...]) -> tuple[float, ...]:
        if not thresholds or not all(0 <= threshold <= 100 for threshold in thresholds):
            raise ValueError("thresholds must be numbers from 0 to 100, such as 0.5,1,1.5")
        return thresholds
