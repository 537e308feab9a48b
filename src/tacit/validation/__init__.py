"""Validation: what simulation shows about verdicts and intervals, and what a probe was shown to see."""

from tacit.validation.calibration import Coverage, FalseClaims, count_claims, interval_coverage
from tacit.validation.certify import validate
from tacit.validation.checks import Check, Outcome
from tacit.validation.discoveries import Discoveries, count_discoveries

__all__ = [
    "Check",
    "Coverage",
    "Discoveries",
    "FalseClaims",
    "Outcome",
    "count_claims",
    "count_discoveries",
    "interval_coverage",
    "validate",
]
