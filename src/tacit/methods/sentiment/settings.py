"""Settings that both sentiment methods have."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from tacit.data import FETCHED, data_path
from tacit.methods.base import Settings
from tacit.tables import is_table_name

__all__ = ["SentimentSettings", "require_two_words", "split_commas"]


class SentimentSettings(Settings):
    """Which reviews and words are used, and which prompt follows a review."""

    prompt: str = "It was [MASK]."
    """The prompt after the review. Causal models get it without the punctuation that follows the blank."""
    reviews: str | None = None
    """Instead of the probe's reviews: your own table (text, label and, optionally, source); `fetched`, the 4,000 of
    `tacit data fetch reviews`; or Hugging Face data sets, such as imdb,yelp_polarity,amazon_polarity,sst2."""
    reviews_per_class: int | None = Field(None, ge=2, le=10_000_000)
    """Use fewer reviews, spread evenly over the file; for data sets, how many to sample in all (default 200)."""
    words: int | None = Field(None, ge=1, le=1_000_000)
    """Use fewer words: only the first so many of each polarity."""
    neutral_words: Literal["lexicon", "paper-words"] = "lexicon"
    """Which neutral words are tested: those of the lexicon, or those printed in the study."""

    def files(self) -> dict[str, Path]:
        """The files that the settings name, with `reviews` among them unless it names data sets of the hub."""
        path = self.reviews_file
        return super().files() if path is None else {**super().files(), "reviews": path}

    @property
    def reviews_file(self) -> Path | None:
        """The file that `reviews` names, whether or not it exists; None if it names no file."""
        if self.reviews == FETCHED:
            return data_path("reviews")
        return Path(self.reviews) if self.reviews is not None and is_table_name(self.reviews) else None


def split_commas(value: object) -> object:
    """A comma-separated string, as the command line gives it, as a list; any other value unchanged."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


def require_two_words(words: tuple[str, str]) -> tuple[str, str]:
    """The label words, if they are two different ones."""
    if words[0] == words[1] or not all(words):
        raise ValueError("label_words must be two different words, the positive one first, such as great,terrible")
    return words
