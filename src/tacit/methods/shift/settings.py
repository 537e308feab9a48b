"""What a user may set about the shift method."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from tacit.methods.sentiment.materials import (
    NEUTRAL,
    POLARITIES,
    SentimentSettings,
)

__all__ = ["ShiftSettings"]


class ShiftSettings(SentimentSettings):
    """How a label is read, how often a word is repeated, and when enough has been asked."""

    label_words: tuple[str, str] = ("great", "terrible")
    """A review is called positive where the first is likelier at the blank than the second."""
    calls: Literal["likelier", "balanced"] = "likelier"
    """The study's rule; or, for a model that prefers one label word whatever the review, the rule that the first must
    be likelier relative to the second than after the median review, so that half of the reviews are called positive."""
    repeats: tuple[int, ...] = (5, 10, 15)
    """The study's K."""
    polarities: tuple[str, ...] = (NEUTRAL,)
    """Which words are appended: neutral, or also positive and negative ones, to see that they shift as they should."""
    design: Literal["sequential", "exact"] = "sequential"
    """Stop asking about a word as soon as it is decided, or ask everything."""
    margin: float = Field(0.05, gt=0, lt=1)
    """A word is neutral if on balance it turns no more than this share of the labels (`net_shift`)."""

    @field_validator("label_words", "repeats", "polarities", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return [part.strip() for part in given.split(",")] if isinstance(given, str) else given

    @field_validator("label_words")
    @classmethod
    def _two_words(cls, given: tuple[str, str]) -> tuple[str, str]:
        if given[0] == given[1] or not all(given):
            raise ValueError("label_words are two different words, the positive one first, such as great,terrible")
        return given

    @field_validator("repeats")
    @classmethod
    def _rising(cls, given: tuple[int, ...]) -> tuple[int, ...]:
        if not given or min(given) < 1 or len(set(given)) < len(given):
            raise ValueError("repeats are different whole numbers from 1, such as 5,10,15")
        return tuple(sorted(given))

    @field_validator("polarities")
    @classmethod
    def _known(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if not given or not set(given) <= set(POLARITIES):
            raise ValueError(f"polarities are some of {', '.join(POLARITIES)}")
        return given
