"""Validation: what simulation shows about verdicts and intervals, and what a probe was shown to see."""

from tacit.validation.calibration import Coverage, FalseClaims, count_claims, interval_coverage
from tacit.validation.certify import validate
from tacit.validation.checks import Check, Outcome
from tacit.validation.discoveries import Discoveries, count_discoveries
from tacit.validation.dose_figure import dose_figure
from tacit.validation.dose_response import DoseResponse, dose_check, dose_response
from tacit.validation.dose_rows import DoseRow, read_doses, write_doses

__all__ = [
    "Check",
    "Coverage",
    "Discoveries",
    "DoseResponse",
    "DoseRow",
    "FalseClaims",
    "Outcome",
    "count_claims",
    "count_discoveries",
    "dose_check",
    "dose_figure",
    "dose_response",
    "interval_coverage",
    "read_doses",
    "validate",
    "write_doses",
]
