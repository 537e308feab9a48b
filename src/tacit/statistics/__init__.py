"""Intervals, tests, corrections, effect sizes and agreement, as pure functions over plain arrays."""

from __future__ import annotations

from tacit.statistics.agreement import krippendorff_alpha, krippendorff_interval
from tacit.statistics.corrections import benjamini_hochberg, holm
from tacit.statistics.correlation import Correlation, correlation
from tacit.statistics.crossed import CrossedMean, crossed_mean
from tacit.statistics.effects import margin_tests, standardized_difference
from tacit.statistics.inputs import MOST_RESAMPLES
from tacit.statistics.intervals import Interval, bootstrap, bootstrap_many, paired_difference, percentile_levels
from tacit.statistics.moments import Moments
from tacit.statistics.permutation import TestResult, permutation_test, permutation_test_many, sign_flip_test
from tacit.statistics.resampling import Resampling
from tacit.statistics.sequential import (
    Stratum,
    confidence_sequence,
    decide_by_margin,
    log_wealth,
    stratified_mean,
)
from tacit.statistics.shares import mean_interval, share_interval, wilson_interval
from tacit.statistics.two_class import auc_interval, two_class_intervals

__all__ = [
    "MOST_RESAMPLES",
    "Correlation",
    "CrossedMean",
    "Interval",
    "Moments",
    "Resampling",
    "Stratum",
    "TestResult",
    "auc_interval",
    "benjamini_hochberg",
    "bootstrap",
    "bootstrap_many",
    "confidence_sequence",
    "correlation",
    "crossed_mean",
    "decide_by_margin",
    "holm",
    "krippendorff_alpha",
    "krippendorff_interval",
    "log_wealth",
    "margin_tests",
    "mean_interval",
    "paired_difference",
    "percentile_levels",
    "permutation_test",
    "permutation_test_many",
    "share_interval",
    "sign_flip_test",
    "standardized_difference",
    "stratified_mean",
    "two_class_intervals",
    "wilson_interval",
]
