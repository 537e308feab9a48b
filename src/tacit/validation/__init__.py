"""Validation: what simulation shows about verdicts and intervals."""

from tacit.validation.calibration import Coverage, FalseClaims, count_claims, interval_coverage

__all__ = ["Coverage", "FalseClaims", "count_claims", "interval_coverage"]
