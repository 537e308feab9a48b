"""What a user may set about the shift method."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from tacit.methods.sentiment.materials import NEUTRAL, POLARITIES
from tacit.methods.sentiment.settings import SentimentSettings, require_two_words, split_commas

__all__ = ["ShiftSettings"]


class ShiftSettings(SentimentSettings):
    """How reviews are labeled, how often a word is repeated, and when a word is decided."""

    label_words: tuple[str, str] = ("great", "terrible")
    """A review is called positive where the first word is likelier at the blank than the second."""
    calls: Literal["likelier", "balanced"] = "likelier"
    """`likelier` is the study's rule. `balanced` is for models that prefer one label word after every review: a review
    is called positive if the ratio of the two probabilities is above that of the median review, so that half of the
    reviews are."""
    repeats: tuple[int, ...] = (5, 10, 15)
    """The study's K: how many times a word is repeated."""
    polarities: tuple[str, ...] = (NEUTRAL,)
    """Which words are appended; add positive and negative ones to check that they shift labels as they should."""
    design: Literal["sequential", "exact"] = "sequential"
    """Ask each review with one K and stop asking about a word as soon as it is decided (`sequential`), or ask
    everything (`exact`, and always in the mode as-published)."""
    margin: float = Field(0.1, gt=0, lt=1)
    """A word is neutral if its `net_shift`, the share of labels that it changes on balance, is shown to be within ±
    this. The default can be shown with 400 reviews; 0.05 takes about 2,000. Not used in the mode as-published."""

    @property
    def asks_everything(self) -> bool:
        """Whether every word is asked about every review, as the study did."""
        return self.design == "exact" or self.mode == "as-published"

    @field_validator("label_words", "repeats", "polarities", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return split_commas(value)

    _label_words = field_validator("label_words")(require_two_words)

    @field_validator("repeats")
    @classmethod
    def _sort_repeats(cls, repeats: tuple[int, ...]) -> tuple[int, ...]:
        if not repeats or min(repeats) < 1 or max(repeats) > 1000 or len(set(repeats)) < len(repeats):
            raise ValueError("repeats must be different whole numbers from 1 to 1,000, such as 5,10,15")
        return tuple(sorted(repeats))

    @field_validator("polarities")
    @classmethod
    def _require_known(cls, polarities: tuple[str, ...]) -> tuple[str, ...]:
        if not polarities or not set(polarities) <= set(POLARITIES):
            raise ValueError(f"polarities must be some of {', '.join(POLARITIES)}")
        return polarities
