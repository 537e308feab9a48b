"""Validation: what simulation shows about verdicts and intervals."""

from tacit.validation.calibration import Coverage, FalseClaims, count_claims, interval_coverage
from tacit.validation.discoveries import Discoveries, count_discoveries

__all__ = [
    "Coverage",
    "Discoveries",
    "FalseClaims",
    "count_claims",
    "count_discoveries",
    "interval_coverage",
]
