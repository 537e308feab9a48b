"""What a user may set about the wording method."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from tacit.methods.sentiment.settings import SentimentSettings, require_two_words, split_commas

__all__ = ["WordingSettings"]


class WordingSettings(SentimentSettings):
    """Which prompts and label words are crossed, and when a word counts as shifting labels."""

    prompt: str = "It was [MASK]."
    """The study's own prompt, with which the other prompts are compared. It is asked whether or not it is listed."""
    label_words: tuple[str, str] = ("great", "terrible")
    """The study's own label words, with which the other pairs are compared; the positive one first."""
    prompts: Path | None = None
    """Your own prompts: a table with the columns prompt and source, instead of the probe's."""
    labels: Path | None = None
    """Your own label words: a table with the columns positive, negative and source, instead of the probe's."""
    copies: int = Field(5, ge=1, le=1000)
    """The study's K: how many times a word is repeated."""
    calls: Literal["likelier", "balanced"] = "likelier"
    """`likelier` is the study's rule. `balanced` calls the half of the reviews positive for which the ratio of the two
    label words is highest, for each wording on its own: many pairs of words are not equally frequent."""
    margin: float = Field(0.1, gt=0, lt=1)
    """A word shifts labels if it is shown to change more than this share of them on balance."""

    @field_validator("label_words", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return split_commas(value)

    _label_words = field_validator("label_words")(require_two_words)
