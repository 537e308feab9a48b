"""Intervals, tests, corrections, effect sizes and agreement, as pure functions over plain arrays."""

from __future__ import annotations

from tacit.statistics.agreement import krippendorff_alpha, krippendorff_interval
from tacit.statistics.corrections import benjamini_hochberg, holm
from tacit.statistics.correlation import Correlation, correlation
from tacit.statistics.crossed import CrossedMean, crossed_mean
from tacit.statistics.effects import PairCounts, cliffs_delta, cohens_d, count_pairs, effect_size, paired_d_z
from tacit.statistics.intervals import Interval, bootstrap, bootstrap_many, paired_difference, percentile_levels
from tacit.statistics.permutation import TestResult, permutation_test, permutation_test_many, sign_flip_test
from tacit.statistics.power import minimum_detectable_effect
from tacit.statistics.shares import share_interval

__all__ = [
    "Correlation",
    "CrossedMean",
    "Interval",
    "PairCounts",
    "TestResult",
    "benjamini_hochberg",
    "bootstrap",
    "bootstrap_many",
    "cliffs_delta",
    "cohens_d",
    "correlation",
    "count_pairs",
    "crossed_mean",
    "effect_size",
    "holm",
    "krippendorff_alpha",
    "krippendorff_interval",
    "minimum_detectable_effect",
    "paired_d_z",
    "paired_difference",
    "percentile_levels",
    "permutation_test",
    "permutation_test_many",
    "share_interval",
    "sign_flip_test",
]
