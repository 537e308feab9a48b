"""Settings of the counterknowledge method."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import field_validator

from tacit.methods.base import Settings
from tacit.probes.registry import find_shipped

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
    words: Path | None = None
    """A verbalizer of your own (a table with word and group) instead of the probe's; PROBE:FILE names a shipped one."""
    beside: Path | None = None
    """A second verbalizer, to see how far results depend on it; `stereotype:prevalence.csv` comes of model outputs."""

    @field_validator("words", "beside", mode="before")
    @classmethod
    def _find_shipped(cls, value: Any) -> Any:
        return find_shipped(value)

    @field_validator("words", "beside")
    @classmethod
    def _require_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError(f"there is no file {value}; give a table with the columns word and group")
        return value

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
