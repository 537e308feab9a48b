"""Settings that both sentiment methods have."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from tacit.methods.base import Settings

__all__ = ["SentimentSettings", "split_commas"]


class SentimentSettings(Settings):
    """Which reviews and words are used, and which prompt follows a review."""

    prompt: str = "It was [MASK]."
    """The prompt after the review. Causal models get it without the punctuation that follows the blank."""
    reviews: str | None = None
    """Your own CSV file (text, label) or the name of a Hugging Face data set, instead of the probe's reviews."""
    reviews_per_class: int | None = Field(None, ge=2, le=10_000_000)
    """Use fewer reviews, spread evenly over the file; for a data set, how many to sample (default 200)."""
    words: int | None = Field(None, ge=1, le=1_000_000)
    """Use fewer words: only the first so many of each polarity."""
    neutral_words: Literal["lexicon", "paper-words"] = "lexicon"
    """Which neutral words are tested: those of the lexicon, or those printed in the study."""

    def files(self) -> dict[str, Path]:
        """The files that the settings name, with `reviews` among them unless it names a data set."""
        if self.reviews is None or not self.reviews.endswith(".csv"):
            return super().files()
        return {**super().files(), "reviews": Path(self.reviews)}


def split_commas(value: object) -> object:
    """A comma-separated string, as the command line gives it, as a list; any other value unchanged."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value
