"""Intervals, tests, corrections, effect sizes and agreement, as pure functions over plain arrays."""

from __future__ import annotations

from tacit.statistics.agreement import krippendorff_alpha, krippendorff_interval
from tacit.statistics.bounds import BoundedMean, bounded_mean
from tacit.statistics.corrections import benjamini_hochberg, holm
from tacit.statistics.correlation import Correlation, correlation, spearman_interval
from tacit.statistics.crossed import CrossedMean, crossed_mean, crossed_share
from tacit.statistics.effects import margin_tests, standardized_difference
from tacit.statistics.inputs import MOST_RESAMPLES
from tacit.statistics.intervals import Interval, bootstrap, bootstrap_many, paired_difference, percentile_levels
from tacit.statistics.jackknife import JackknifeInterval, jackknife_interval
from tacit.statistics.mantel import Mantel, mantel
from tacit.statistics.moments import Moments
from tacit.statistics.overlap import Overlap, overlaps
from tacit.statistics.permutation import (
    TestResult,
    permutation_test,
    permutation_test_many,
    sign_flip_test,
    sign_flip_test_many,
)
from tacit.statistics.resampling import Resampling
from tacit.statistics.sequential import (
    Stratum,
    confidence_sequence,
    decide_by_margin,
    log_wealth,
    stratified_interval,
    stratified_mean,
)
from tacit.statistics.shares import (
    effective_interval,
    mean_interval,
    mean_share,
    net_share_interval,
    share_interval,
    wilson_interval,
)
from tacit.statistics.strata import StrataMean, mean_of_strata, ratio_interval
from tacit.statistics.two_class import auc_interval, two_class_intervals

__all__ = [
    "MOST_RESAMPLES",
    "BoundedMean",
    "Correlation",
    "CrossedMean",
    "Interval",
    "JackknifeInterval",
    "Mantel",
    "Moments",
    "Overlap",
    "Resampling",
    "StrataMean",
    "Stratum",
    "TestResult",
    "auc_interval",
    "benjamini_hochberg",
    "bootstrap",
    "bootstrap_many",
    "bounded_mean",
    "confidence_sequence",
    "correlation",
    "crossed_mean",
    "crossed_share",
    "decide_by_margin",
    "effective_interval",
    "holm",
    "jackknife_interval",
    "krippendorff_alpha",
    "krippendorff_interval",
    "log_wealth",
    "mantel",
    "margin_tests",
    "mean_interval",
    "mean_of_strata",
    "mean_share",
    "net_share_interval",
    "overlaps",
    "paired_difference",
    "percentile_levels",
    "permutation_test",
    "permutation_test_many",
    "ratio_interval",
    "share_interval",
    "sign_flip_test",
    "sign_flip_test_many",
    "spearman_interval",
    "standardized_difference",
    "stratified_interval",
    "stratified_mean",
    "two_class_intervals",
    "wilson_interval",
]
