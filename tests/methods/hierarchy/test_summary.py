"""The summary of the hierarchy method says what its tables support, and no more."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.methods.base import measure_row, measures_table
from tacit.methods.hierarchy.headline import C_W, MEAN_OF_TOPS, SHUFFLED
from tacit.methods.hierarchy.summary import summarize
from tacit.statistics import Interval

OVERALL = measure_row(C_W, "overall", Interval(0.25, 0.2, 0.3, 0.95, 112, "percentile", 0))
RANKING = pl.DataFrame({"group": ["North", "South"], "c_w": [0.1, 0.3], "rank": [2, 1], "first": [0.2, 0.8]})


def sentences(*rows, ranking=RANKING):
    return summarize({"measures": measures_table(list(rows)), "ranking": ranking}, "toy")


def test_overall_value_has_its_interval_and_neutral_value():
    overall = sentences(OVERALL)[0]
    assert (
        overall
        == "toy: overall C_w is 0.25 [0.2, 0.3], resampling the 112 words (0 = all regions are described alike)."
    )


def test_ranking_starts_with_the_highest_and_says_how_stable_it_is():
    assert "parts: South, North. South ranks first in 80% of the resamples." in sentences(OVERALL)[1]


@pytest.mark.parametrize(
    ("p", "value", "verdict"),
    [(0.2, 0.1, "do not differ significantly"), (0.01, 0.1, "differ less than"), (0.01, 0.9, "differ more than")],
)
def test_a_direction_is_stated_only_if_it_is_significant(p, value, verdict):
    shuffled = measure_row(SHUFFLED, MEAN_OF_TOPS, value, neutral=0.5, p=p)
    assert verdict in sentences(shuffled, OVERALL)[2]


def test_without_parts_there_is_no_value_and_no_ranking():
    nothing = RANKING.with_columns(c_w=pl.lit(None, pl.Float64))
    overall, ranking = sentences(measure_row(C_W, "overall", None), ranking=nothing)
    assert "no overall C_w" in overall
    assert "no ranking" in ranking
