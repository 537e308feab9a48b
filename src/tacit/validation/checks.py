"""One check of a certificate: its number, the bar it is held to, and why the bar is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Check", "Outcome"]

Outcome = Literal["pass", "doubtful", "fail", "not applicable"]


@dataclass(frozen=True, slots=True)
class Check:
    """What one check of a probe found.

    Attributes:
        name: Which check, such as "placebo".
        outcome: Whether the bar is met; "not applicable" where the probe has nothing to check.
        number: The number that was held against the bar, in words: "3 of 100 placebo runs find something (3 %)".
        bar: What it takes to pass and to fail: "pass up to 10 %, fail above 15 %".
        reason: Why that is the bar, in one sentence; docs/validity.md names the critique that it answers.
    """

    name: str
    outcome: Outcome
    number: str
    bar: str
    reason: str
