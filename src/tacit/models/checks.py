"""Checks on a model that `tacit doctor` shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["SAMPLE_TEXTS", "TOLERANCE", "Check", "compare_numbers"]

# No probability may change by more than this for any reason but the question.
TOLERANCE = 1e-5

SAMPLE_TEXTS = (
    "He went into the house and sat down.",
    "The king said that he would come to the city.",
    "They have seen the light of the day.",
    "She gave him the book, and he read it.",
    "There was a man who had two sons.",
    "The people of the land were many.",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a model.

    Attributes:
        name: The claim that was checked.
        passed: Whether it holds.
        detail: What was observed.
    """

    name: str
    passed: bool
    detail: str


def compare_numbers(
    name: str, numbers: Sequence[Sequence[float]], expected: Sequence[Sequence[float]], noise_floor: float = 0.0
) -> Check:
    """Check that probabilities agree within the tolerance.

    Args:
        name: The claim that is checked.
        numbers: Some probabilities of each answer.
        expected: The same ones, obtained in another way.
        noise_floor: The noise floor of the model that gave them; both may be off by it.
    """
    if [len(row) for row in numbers] != [len(row) for row in expected]:
        return Check(name, False, "some answers have more numbers than before")
    pairs = [pair for rows in zip(numbers, expected, strict=True) for pair in zip(*rows, strict=True)]
    largest = max((abs(number - reference) for number, reference in pairs), default=0.0)
    noise = f"; noise floor {noise_floor:.1e}" if noise_floor else ""
    detail = f"largest difference {largest:.1e} in {len(pairs)} numbers{noise}"
    return Check(name, largest <= TOLERANCE + 2 * noise_floor, detail)
