"""Positive control: does a model get right what any competent model gets right?"""

from __future__ import annotations

from tacit.methods.base import Validity
from tacit.probes.certificate import CONTROL
from tacit.validation.checks import Check, Outcome

__all__ = ["control_check"]

_OUTCOMES: dict[str, Outcome] = {"interpretable": "pass", "weak": "doubtful", "none": "fail"}


def control_check(validity: Validity) -> Check:
    """The positive control of the method, as a run on this model found it."""
    found = "the model gets the control right" if validity.level == "interpretable" else validity.reason
    return Check(
        CONTROL,
        _OUTCOMES[validity.level],
        found,
        "pass if nothing is wrong, doubtful if the run must be read with care, fail if this model cannot be asked this",
        "A score of a model that does not know the words of the question is not a belief.",
    )
