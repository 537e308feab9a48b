"""One check of a certificate, as every module here makes it, and the shapes that several bars have."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.probes.certificate import Check, Outcome

__all__ = ["Check", "NotApplicable", "Outcome", "at_least", "at_most", "not_applicable", "worst"]

_ORDER: tuple[Outcome, ...] = ("not applicable", "pass", "doubtful", "fail")


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """Why a check cannot be made honestly of a probe or a model."""

    reason: str


def at_most(value: float, passes: float, fails: float) -> Outcome:
    """Pass up to one bar, fail above the other, doubtful between them."""
    return "pass" if value <= passes else "doubtful" if value <= fails else "fail"


def at_least(value: float, passes: float, fails: float) -> Outcome:
    """Pass from one bar upward, fail below the other, doubtful between them."""
    return "pass" if value >= passes else "doubtful" if value >= fails else "fail"


def worst(*outcomes: Outcome) -> Outcome:
    """The worst of several outcomes; "not applicable" only if all are."""
    return max(outcomes, key=_ORDER.index)


def not_applicable(name: str, why: NotApplicable) -> Check:
    """The check as a certificate shows it where it cannot be made."""
    return Check(name, "not applicable", why.reason, "", "")
