"""The summary of the hierarchy method says what its tables support, and no more."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.methods.base import measure_row, measures_table
from tacit.methods.hierarchy.controls import LESS_ALIKE, MEAN_OF_TOPS, MORE_ALIKE, SHUFFLED
from tacit.methods.hierarchy.headline import C_W, UNDECIDED
from tacit.methods.hierarchy.ranking import HIGHEST
from tacit.methods.hierarchy.summary import headline_sentence, list_verdicts, summarize
from tacit.methods.hierarchy.validity import SEVERAL_TOKENS, TEMPLATES_AGREE, WORD_ORDER, WORD_SPREAD, judge_validity
from tacit.statistics import Interval, share_interval

OVERALL = measure_row(C_W, "overall", Interval(0.25, 0.2, 0.3, 0.95, 112, "percentile", 0))
RANKING = pl.DataFrame(
    {
        "group": ["North", "South"],
        "c_w": [0.1, 0.3],
        "rank": [2, 1],
        "children": [4, 5],
        "used": [4, 5],
        "without_c": [0, 3],
        "rank_if_left_out": [2, 1],
    }
)
REGIONS = pl.DataFrame(
    {
        "name": ["North", "Aland", "A1"],
        "top": ["North", "North", "North"],
        "depth": [0, 1, 2],
        "level": ["continent", "country", "city"],
    }
)


def tables(*rows, ranking=RANKING):
    return {"measures": measures_table(list(rows)), "ranking": ranking, "regions": REGIONS}


def shuffled(verdict, group=MEAN_OF_TOPS):
    return measure_row(SHUFFLED, group, 0.1, neutral=0.5, p=0.02, verdict=verdict)


def test_overall_value_has_its_interval_and_says_what_zero_means():
    assert summarize(tables(OVERALL), "toy")[0] == (
        "toy: the mean distance between the descriptions of two continents, the overall C_w, is 0.250 [0.200, 0.300] "
        "for words like these 112 (0 = described alike)."
    )


@pytest.mark.parametrize(
    ("verdict", "finding"),
    [
        (UNDECIDED, "toy: whether countries of the same continent are described more alike than countries grouped at"),
        (MORE_ALIKE, "toy describes countries of the same continent more alike than countries grouped at random"),
        (LESS_ALIKE, "toy describes countries of the same continent less alike than countries grouped at random"),
    ],
)
def test_headline_states_a_direction_only_if_the_verdict_does(verdict, finding):
    made = tables(shuffled(verdict), OVERALL)
    assert headline_sentence({"toy": made}).startswith(finding)
    assert [claim.holds for claim in list_verdicts(made)] == [verdict != UNDECIDED]


def test_the_highest_region_is_named_only_if_it_is_tested():
    decided = measure_row(HIGHEST, "overall", 0.2, p=0.001, verdict="South has the highest C_w")
    undecided = measure_row(HIGHEST, "overall", 0.2, p=0.4, verdict=UNDECIDED)
    assert "South has the highest C_w (p = .001)" in summarize(tables(OVERALL, decided), "toy")[1]
    assert "Which continent has the highest C_w cannot be told" in summarize(tables(OVERALL, undecided), "toy")[1]
    assert "cannot be tested" in summarize(tables(OVERALL), "toy")[1]


def test_top_regions_that_stand_out_are_named():
    made = tables(shuffled(MORE_ALIKE, "North"), shuffled(UNDECIDED, "South"), OVERALL)
    assert "more alike than at random in North (corrected for 2 tests)" in summarize(made, "toy")[1]


def test_parts_used_are_counted_per_top_region():
    few = "ountries with fewer than two cities"
    assert summarize(tables(OVERALL), "toy")[-1] == (
        f"C{few} are weighted by the mean of the others (South 3 of 5); leaving them out does not change the order."
    )
    other = RANKING.with_columns(rank_if_left_out=pl.Series([1, 2]))
    assert summarize(tables(OVERALL, ranking=other), "toy")[-1].endswith("gives the order North, South.")
    left_out = RANKING.with_columns(used=pl.Series([4, 2]))
    sentence = f"C_w leaves out c{few}; it rests on South 2 of 5."
    assert summarize(tables(OVERALL, ranking=left_out), "toy")[-1] == sentence


def test_without_parts_there_is_no_value_and_no_ranking():
    nothing = RANKING.with_columns(c_w=pl.lit(None, pl.Float64), without_c=0)
    overall, ranking = summarize(tables(measure_row(C_W, "overall", None), ranking=nothing), "toy")
    assert "no overall C_w" in overall
    assert "no ranking" in ranking


SPREAD = measure_row(WORD_SPREAD, "overall", 0.5)
ORDER = measure_row(WORD_ORDER, "overall", 0.05, n=100)


@pytest.mark.parametrize(
    ("rows", "level", "reason"),
    [
        ([SPREAD, ORDER], "interpretable", ""),
        ([measure_row(WORD_SPREAD, "overall", 0.0), ORDER], "none", "do not depend on the word"),
        (
            [SPREAD, measure_row(WORD_ORDER, "overall", 0.06, n=100)],
            "none",
            "of 99 other orders of the same words, 5",
        ),
        ([SPREAD, measure_row(WORD_ORDER, "overall", 1 / 6, n=6)], "weak", "only 6 word orders"),
        ([SPREAD, measure_row(WORD_ORDER, "overall", 2 / 6, n=6)], "none", "does not prefer the natural word order"),
        ([SPREAD], "weak", "it was not asked for other word orders"),
        ([SPREAD, ORDER, measure_row(SEVERAL_TOKENS, "overall", share_interval([1] * 50))], "weak", "splits 100%"),
        (
            [SPREAD, ORDER, measure_row(TEMPLATES_AGREE, "overall", Interval(0.1, -0.1, 0.3, 0.95, 50, "percentile"))],
            "weak",
            "rank correlation 0.10 [-0.10, 0.30]",
        ),
    ],
)
def test_a_model_that_fails_a_positive_control_cannot_be_interpreted(rows, level, reason):
    validity = judge_validity(tables(*rows))
    assert validity.level == level
    assert reason in validity.reason
