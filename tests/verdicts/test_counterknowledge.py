"""The claims of the counterknowledge method, over simulated models that lean as much as we say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from tacit.methods.base import Tables
from tacit.methods.counterknowledge import Counterknowledge, CounterknowledgeSettings
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.simulation import simulate_answers
from tacit.probes import load_probe
from tacit.runs.compare import compare_tables
from tacit.statistics import mean_of_strata, share_interval
from tacit.validation.calibration import count_claims, simulate_tables
from tests.verdicts.datasets import DATASETS

METHOD = Counterknowledge()
SETTINGS = CounterknowledgeSettings(size="small", tops=(10,), resamples=400)
EFFECT = 0.4
"""In log-odds: 59 % instead of half of the probability is on the group that dominates an occupation."""
PLANTED = DATASETS // 4
BACKGROUND = "background counter syntactic"


@cache
def _materials() -> CounterknowledgeMaterials:
    """The shipped design of 20 occupations, with four kinds of knowledge and few words, to be quick."""
    materials = METHOD.materials(load_probe("stereotype"), SETTINGS)
    kinds = tuple(kind for kind in materials.grammar.kinds if kind.short in {"tsyn", "tcsyn", "bcsyn", "un"})
    words = {f"{group} {number}": group for group in materials.grammar.groups for number in range(3)}
    return replace(materials, grammar=materials.grammar.model_copy(update={"kinds": kinds}), words=words)


@cache
def _simulated(effect: float, count: int) -> list[Tables]:
    materials = _materials()
    return simulate_tables(
        METHOD, materials, SETTINGS, lambda seed: simulate_answers(materials, SETTINGS, seed, effect), range(count)
    )


def test_without_a_stereotype_claims_are_made_no_more_often_than_stated() -> None:
    families = count_claims(METHOD, _simulated(0.0, DATASETS))
    assert set(families) == {"leaning", "statistics", "knowledge"}
    for name, family in families.items():
        assert family.error == 0.05
        assert family.holds, f"{name}: {family.any_claim.value:.3f} of {DATASETS}"
        assert family.any_claim.value < 0.09, "an error rate of 10 % would be noticed"


def test_models_of_one_population_are_said_to_differ_no_more_often_than_stated() -> None:
    simulated = _simulated(0.0, DATASETS)
    measures = METHOD.comparisons(_materials(), SETTINGS)
    found = [
        bool(compare_tables("stereotype", measures, {"one": one, "two": two}, SETTINGS.resampling).findings)
        for one, two in zip(simulated[::2], simulated[1::2], strict=True)
    ]
    share = share_interval(found)
    assert share.low <= 0.05, f"{share.value:.3f} of {len(found)}"


def test_a_planted_stereotype_is_found_as_often_as_the_documentation_says() -> None:
    simulated = _simulated(EFFECT, PLANTED)
    made = Counter(verdict.claim for tables in simulated for verdict in METHOD.verdicts(tables) if verdict.holds)
    assert made["the model leans with or against the stereotype"] >= 0.9 * PLANTED
    assert made["the model goes with or against the statistics"] >= 0.75 * PLANTED
    for kind in ("target syntactic", "target counter syntactic"):
        assert made[f"knowledge changes the stereotype ({kind})"] >= 0.9 * PLANTED
    assert made[f"knowledge changes the stereotype ({BACKGROUND})"] >= 0.35 * PLANTED


@pytest.mark.skipif(DATASETS < 2000, reason="takes minutes: make calibrate")
def test_58_occupations_find_a_smaller_stereotype() -> None:
    settings = SETTINGS.model_copy(update={"size": "full"})
    materials = METHOD.materials(load_probe("stereotype"), settings)
    materials = replace(materials, grammar=_materials().grammar, words=_materials().words)
    made: Counter[str] = Counter()
    for seed in range(60):
        tables = METHOD.measure(materials, settings, simulate_answers(materials, settings, seed, 0.25))
        made.update(verdict.claim for verdict in METHOD.verdicts(tables) if verdict.holds)
    planted = [claim for claim in made if "unrelated" not in claim]
    assert len(planted) == 5
    assert all(made[claim] >= 0.9 * 60 for claim in planted), made


def test_claims_point_the_way_that_was_planted() -> None:
    for tables in _simulated(EFFECT, PLANTED):
        verdicts = dict(tables["measures"].drop_nulls("verdict").select("group", "verdict").rows())
        assert verdicts["target syntactic"] in {"raised", "undecided"}
        assert verdicts["target counter syntactic"] in {"lowered", "undecided"}


@pytest.mark.parametrize(("effect", "count"), [(0.0, DATASETS), (EFFECT, PLANTED)])
def test_intervals_cover_as_often_as_they_say(effect: float, count: int) -> None:
    """Rows that are marked promise less; a row counts where at least half of the data sets leave it unmarked."""
    rows = pl.concat([tables["measures"].filter(pl.col("item").is_null()) for tables in _simulated(effect, count)])
    rows = rows.drop_nulls(["value", "low", "high"]).filter(pl.col("group") != "control")
    truth = rows.group_by("measure", "group").agg(truth=pl.mean("value"))
    inside = (pl.col("low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("high"))
    unmarked = rows.join(truth, on=["measure", "group"]).with_columns(inside=inside).filter(pl.col("caution").is_null())
    covered = unmarked.group_by("measure", "group").agg(pl.mean("inside"), n=pl.len()).filter(pl.col("n") > count / 2)
    assert covered.height > 80
    # Every row by itself, within what so many data sets can tell ...
    slack = 3.5 * np.sqrt(0.95 * 0.05 / covered["n"].to_numpy())
    bad = covered.filter(pl.Series(covered["inside"].to_numpy() < 0.93 - slack))
    # ... except shares of 20 occupations close to 0 or 1, where no interval of whole numbers is exact.
    assert bad.filter(~pl.col("measure").str.starts_with("share of occupations")).is_empty(), bad
    # ... and each measure over the kinds of prompt.
    by_measure = covered.group_by("measure").agg(pl.mean("inside"))
    least = 0.93 - 2.5 * np.sqrt(0.95 * 0.05 / count)
    assert by_measure.filter(pl.col("inside") < least).is_empty(), by_measure.sort("inside")
    assert 0.93 <= covered["inside"].to_numpy().mean() <= 0.975


def test_taking_backgrounds_as_given_would_be_noticed() -> None:
    """What the method did before: occupations alone as units, although all share their few backgrounds."""
    covered = []
    for tables in _simulated(0.0, DATASETS):
        items, base = (tables["items"].filter(kind=kind, reach="all words") for kind in (BACKGROUND, "base"))
        change = (items["pro_share"] - base["pro_share"]).to_numpy()
        interval = mean_of_strata(change, items["dominant"], items["item"]).interval()
        covered.append(interval.low <= 0 <= interval.high)
    assert np.mean(covered) < 0.85
