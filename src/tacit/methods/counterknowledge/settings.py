"""Settings of the counterknowledge method."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator

from tacit.methods.base import Settings

__all__ = ["CounterknowledgeSettings"]


class CounterknowledgeSettings(Settings):
    """How many items are asked about, how the prompts are written, and which words count."""

    size: str = "full"
    """Which of the grammar's sizes to run; see `sizes` in the probe's grammar.yaml."""
    tops: tuple[int, ...] = (3, 5, 10)
    """How many of the most likely words to look at; `--set tops=3,10` computes the measures for both."""
    separate: bool = True
    """Pass knowledge and base sentence as two segments (where the model has them) instead of one text."""
    whole: Literal["one-token", "all", "off"] = "one-token"
    """Also measure every word of the verbalizer: count words of one token, count all words, or skip this."""

    @field_validator("tops", mode="before")
    @classmethod
    def _split_text(cls, value: Any) -> Any:
        if not isinstance(value, str | int):
            return value
        return [part for part in str(value).replace(" ", "").split(",") if part]

    @field_validator("tops")
    @classmethod
    def _require_positive(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or min(value) < 1 or max(value) > 10_000:
            raise ValueError("give one or more numbers of words from 1 to 10,000, such as 3,5,10")
        return tuple(sorted(set(value)))
