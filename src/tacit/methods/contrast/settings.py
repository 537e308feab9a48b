"""Settings of the contrast method."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from tacit.methods.base import Settings
from tacit.probes.registry import find_shipped

__all__ = ["ContrastSettings"]


class ContrastSettings(Settings):
    """Which questions are asked, and where the answers come from."""

    bare: bool = True
    """Also ask without context, where the probe defines a `bare` form."""
    causal: Literal["whole", "next"] = "whole"
    """Causal models: score whole sentences (ranks within a shortlist) or the next word (ranks in the vocabulary)."""
    language: str = "en"
    """The language in which word frequencies are looked up."""
    answers: Path | None = None
    """A table of ranks found elsewhere, to be scored instead of asking a model."""
    people: Path | None = None
    """A table of people's choices (from `tacit rate import`), to be scored instead of asking a model."""
    fillings: int = Field(default=0, ge=0, le=1_000)
    """Error analysis: also ask for so many of the likeliest words in each blank, and classify them; 0 skips it."""
    bigrams: Path | None = None
    """A table of how often each word stands before each slot of the bare form, for the item-level regression."""

    @field_validator("bigrams", mode="before")
    @classmethod
    def _find_shipped(cls, value: Any) -> Any:
        return find_shipped(value)

    @field_validator("bigrams")
    @classmethod
    def _require_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError(f"there is no file {value}; give a table of counts, or leave the setting out")
        return value

    @field_validator("language")
    @classmethod
    def _require_known_language(cls, language: str) -> str:
        if language == cls.model_fields["language"].default:
            return language
        from wordfreq import available_languages  # noqa: PLC0415 - slow to import, and seldom needed

        known = sorted(available_languages())
        if language not in known:
            raise ValueError(f"there are no word frequencies for {language!r}; choose one of {', '.join(known)}")
        return language

    @model_validator(mode="after")
    def _require_one_source(self) -> Self:
        if self.answers is not None and self.people is not None:
            raise ValueError("give answers or people, not both")
        return self
