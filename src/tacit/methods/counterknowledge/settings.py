"""What a user may set about the counterknowledge method."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator

from tacit.methods.base import Settings

__all__ = ["CounterknowledgeSettings"]


class CounterknowledgeSettings(Settings):
    """`separate`: knowledge and base sentence as two segments, where the model knows such, or as one text.

    `whole`: also ask for the probability of every word of the verbalizer, and count those of one token or all.
    """

    size: str = "full"
    tops: tuple[int, ...] = (3, 5, 10)
    separate: bool = True
    whole: Literal["one-token", "all", "off"] = "one-token"

    @field_validator("tops", mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return (
            [part for part in str(value).replace(" ", "").split(",") if part] if isinstance(value, str | int) else value
        )

    @field_validator("tops")
    @classmethod
    def _some_above_zero(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or min(value) < 1:
            raise ValueError("give at least one number of words above 0, such as 3,5,10")
        return tuple(sorted(set(value)))
