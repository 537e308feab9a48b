"""HERB's verdicts over simulated models: claims are rarely wrong, planted effects are found, and intervals hold.

The tree is small (three continents of eight countries, 12 words), so that hundreds of data sets take seconds;
docs/statistics.md has the figures of larger ones.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest

from tacit.methods.base import PairedMeasure, Tables
from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.controls import TEMPLATE, TOKENS
from tacit.methods.hierarchy.headline import C_W, C_Z, PLAIN, UNDECIDED
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.ranking import HIGHEST
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.simulation import simulate_answers
from tacit.runs.compare import compare_tables
from tacit.statistics import Interval, share_interval
from tacit.validation import count_claims, interval_coverage
from tests.methods.hierarchy.world import answer, read, write_probe
from tests.verdicts.datasets import DATASETS

METHOD = Hierarchy()
TOPS, PARTS, WORDS = 3, 8, 12


@cache
def _probe(*neutral: str) -> tuple[HierarchyMaterials, HierarchySettings]:
    tops = "".join(f"T{top},,continent\n" for top in range(TOPS))
    parts = "".join(f"c{top}-{part},T{top},country\n" for top in range(TOPS) for part in range(PARTS))
    words = "topic,word\n" + "".join(f"all,w{word}\n" for word in range(WORDS))
    with TemporaryDirectory() as folder:
        tree = f"name,parent,level\n{tops}{parts}"
        return read(write_probe(Path(folder), tree=tree, words=words, neutral=list(neutral)), resamples=99, studies=0)


@cache
def _null() -> list[Tables]:
    return _simulated(DATASETS)


@cache
def _planted(effect: float = 0.0, spread: float = 1.0, scale: float = 1.0) -> list[Tables]:
    return _simulated(DATASETS // 5, effect=effect, spread=spread, scale=scale)


def _simulated(sets: int, *neutral: str, **planted: Any) -> list[Tables]:
    materials, settings = _probe(*neutral)
    answers = (simulate_answers(materials, settings, seed, **planted) for seed in range(sets))
    return [METHOD.measure(materials, settings, each) for each in answers]


def test_simulated_answers_are_to_the_questions_that_are_asked(tmp_path: Path) -> None:
    materials, settings = read(write_probe(tmp_path))
    keys = ["kind", "template", "region", "word"]
    asked = answer(METHOD.questions(materials, settings, "masked")).select(keys).unique().sort(keys)
    assert simulate_answers(materials, settings, seed=0).select(keys).unique().sort(keys).equals(asked)


def test_nothing_is_claimed_more_often_than_stated() -> None:
    families = count_claims(METHOD, _null())
    assert families.keys() == {"grouping", "top regions", "highest"}
    for family in families.values():
        assert family.holds, f"{family.family}: {family.any_claim.value:.3f} of {DATASETS}"
        assert family.any_claim.value < 0.085, "an error rate of 10 % would be noticed"


def test_ranks_leave_out_a_possible_one_no_more_often_than_stated() -> None:
    """All top regions have the same C_w in truth, so each of them can have any rank."""
    too_narrow = pl.col("rank_low").gt(1) | pl.col("rank_high").lt(TOPS)
    wrong = share_interval([tables["ranking"].select(too_narrow.any()).item() for tables in _null()])
    assert wrong.low <= 0.05
    assert wrong.value < 0.085


def _findings(others: list[Tables], measure: PairedMeasure | None = None) -> Interval:
    """How often a simulated model is said to differ from each of the others."""
    materials, settings = _probe()
    measures = METHOD.comparisons(materials, settings) if measure is None else (measure,)
    pairs = zip(_null(), others, strict=False)
    models = ({"one": one, "two": two} for one, two in pairs)
    return share_interval([bool(compare_tables("p", measures, both, settings.resampling).findings) for both in models])


def test_models_of_one_kind_are_said_to_differ_no_more_often_than_stated() -> None:
    """Each model is compared with the next one."""
    share = _findings(_null()[1:])
    assert share.low <= 0.05, f"{share.value:.3f}"
    assert share.value < 0.1


def test_regions_as_the_only_units_would_find_too_much() -> None:
    """What `tacit compare` did before: all regions share the words, so their differences go the same way."""
    assert _findings(_null()[1:], PairedMeasure(C_W, "is lower", "is higher", "countries")).low > 0.1


def test_a_model_that_describes_regions_twice_as_differently_is_found() -> None:
    assert _findings(_planted(scale=2.0)[1:]).value >= 0.8


@pytest.mark.parametrize(
    ("claim", "planted", "power"),
    [("grouping", {"effect": 0.6}, 0.7), ("top regions", {"effect": 0.6}, 0.25), ("highest", {"spread": 5.0}, 0.7)],
)
def test_planted_effects_are_found(claim: str, planted: dict[str, float], power: float) -> None:
    found = count_claims(METHOD, _planted(**planted))[claim].any_claim
    assert found.value >= power, f"{found.value:.3f}"


def test_the_highest_region_is_named_rightly() -> None:
    rows = [tables["measures"].filter(pl.col("measure") == HIGHEST) for tables in _planted(spread=5.0)]
    assert {row["verdict"].item() for row in rows} == {"T0 has the highest C_w", UNDECIDED}


def test_intervals_over_words_cover_as_often_as_they_say() -> None:
    """The regions stay, and the words are drawn anew: what the unit "word" of these rows says."""
    covered = interval_coverage(_simulated(DATASETS, "this place", regions=1))
    assert {C_W, C_Z, PLAIN, TOKENS, TEMPLATE} <= {row.measure for row in covered}
    for row in covered:
        if row.measure in (C_W, C_Z, PLAIN, TOKENS, TEMPLATE):
            assert row.covered.low <= 0.97, f"{row.measure}, {row.group}: {row.covered.value:.3f}"
            assert row.covered.high >= 0.93, f"{row.measure}, {row.group}: {row.covered.value:.3f}"


def test_intervals_over_regions_cover_as_often_as_they_say() -> None:
    """Regions and words are both drawn anew."""
    rows = {row.measure: row for row in interval_coverage(_null()) if not row.measure.startswith(("C_", "plain"))}
    assert {"tokens in the name and distance from the siblings", "nearest name lies in the same top region"} <= {*rows}
    for row in rows.values():
        assert row.covered.low <= 0.97, f"{row.measure}: {row.covered.value:.3f}"
        assert row.covered.high >= 0.93, f"{row.measure}: {row.covered.value:.3f}"
