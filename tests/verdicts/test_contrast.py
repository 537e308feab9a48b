"""Contrast: claims are made as rarely as stated where nothing leans, planted effects are found, and intervals cover."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import polars as pl
import pytest

from tacit.methods.base import PairedMeasure, Tables
from tacit.methods.contrast import Contrast, ContrastSettings
from tacit.methods.contrast.items import item_table
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.regression import regression_rows
from tacit.methods.contrast.simulation import SimulatedModel
from tacit.probes import load_probe
from tacit.runs.compare import compare_tables
from tacit.statistics import Resampling, share_interval
from tacit.validation import count_claims, interval_coverage
from tacit.validation.calibration import simulate_tables
from tests.verdicts.datasets import DATASETS

METHOD, SETTINGS = Contrast(), ContrastSettings(resamples=250)
FEW = max(20, DATASETS // 10)
"""Data sets where a rough number is enough: power, and what mathematics already guarantees."""


def _materials(probe: str) -> ContrastMaterials:
    return METHOD.materials(load_probe(probe), SETTINGS)


def _simulate(model: SimulatedModel, materials: ContrastMaterials, seeds: Iterable[int]) -> list[Tables]:
    return simulate_tables(METHOD, materials, SETTINGS, lambda seed: model.answers(materials, seed), seeds)


@pytest.fixture(scope="module")
def adverbs() -> ContrastMaterials:
    return _materials("intensifier")


@pytest.fixture(scope="module")
def null(adverbs: ContrastMaterials) -> list[Tables]:
    """Adverbs differ as they do in real models, but on average the adverb wins half of the time, in every context."""
    return _simulate(SimulatedModel(), adverbs, range(DATASETS))


def test_nothing_is_claimed_more_often_than_stated(null: list[Tables]) -> None:
    claims = count_claims(METHOD, null)
    # Single adverbs do differ in this population; they have a null of their own below.
    del claims["preference for each word"]
    assert {"preference", "acc gain from context", "acc explained", "acc difference"} <= claims.keys()
    for claim in claims.values():
        assert claim.holds, f"{claim.family}: {claim.any_claim.value:.3f}"
        assert claim.any_claim.value < 0.1, claim.family


def test_single_words_are_claimed_no_more_often_than_stated_where_all_are_alike(adverbs: ContrastMaterials) -> None:
    claims = count_claims(METHOD, _simulate(SimulatedModel(spread=0.0), adverbs, range(FEW)))
    assert claims["preference for each word"].holds


def test_two_words_are_claimed_no_more_often_than_stated() -> None:
    materials = _materials("before-after")
    claims = count_claims(METHOD, _simulate(SimulatedModel(spread=0.0), materials, range(DATASETS)))
    assert {*claims} == {"preference", "preference for each word", "acc gain from context"}
    for claim in claims.values():
        assert claim.holds, f"{claim.family}: {claim.any_claim.value:.3f}"


def test_intervals_over_words_cover_the_truth_or_carry_a_caution(
    null: list[Tables], adverbs: ContrastMaterials
) -> None:
    covered = [row for row in interval_coverage(null) if row.group not in adverbs.words]
    unmarked = [row for row in covered if not row.marked]
    assert {row.measure for row in unmarked} >= {"acc", "MRR", "acc gain from context", "acc ~ intensity"}
    for row in unmarked:
        assert row.covered.high >= 0.93, f"{row.measure} ({row.group}): {row.covered.value:.3f}"
        assert row.covered.low <= 0.97, f"{row.measure} ({row.group}): {row.covered.value:.3f}"
    assert all(row.marked for row in covered if row.measure.startswith("diff") or row.group in adverbs.categories)


def test_intervals_of_single_words_cover_the_truth_of_these_words(adverbs: ContrastMaterials) -> None:
    simulated = _simulate(SimulatedModel(words=3), adverbs, range(FEW))
    shares = defaultdict(list)
    for row in interval_coverage(simulated):
        if row.group in adverbs.words and not row.marked:
            shares[row.measure].append(row.covered.value)
    assert {*shares} >= {"acc", "acc without context"}
    for measure in ("acc", "acc without context"):
        assert 0.93 <= np.mean(shares[measure]) <= 0.97, measure


@pytest.mark.parametrize(
    ("model", "families"),
    [
        (SimulatedModel(effect=1.4, context=0.9), ["preference", "acc gain from context"]),
        (SimulatedModel(intensity=1.4), ["acc explained"]),
        (SimulatedModel(category=3.0), ["acc difference"]),
    ],
)
def test_a_planted_effect_is_found(adverbs: ContrastMaterials, model: SimulatedModel, families: list[str]) -> None:
    """Power of 80 % and more, as docs/statistics.md says."""
    claims = count_claims(METHOD, _simulate(model, adverbs, range(FEW)))
    for family in families:
        found = claims[family].any_claim
        assert found.value >= 0.7, f"{family}: {found.value:.2f}"
        assert found.high >= 0.8


def test_two_models_of_one_population_are_said_to_differ_no_more_often_than_stated(null: list[Tables]) -> None:
    pairs = list(zip(null[::2], null[1::2], strict=True))
    share = share_interval([_differ(*pair, ("adverb", "adjective")) for pair in pairs])
    assert share.low <= 0.05
    naive = [_differ(*pair, ("item",)) for pair in pairs[:20]]
    assert np.mean(naive) > 0.3, "960 sentences taken as independent find differences that are not there"


def _differ(first: Tables, second: Tables, resampled: tuple[str, ...]) -> bool:
    measure = PairedMeasure("acc", "is lower", "is higher", "sentences", resampled)
    return bool(compare_tables("intensifier", [measure], {"a": first, "b": second}, Resampling(200)).findings)


def test_a_model_that_always_says_the_rival_cannot_be_asked(adverbs: ContrastMaterials) -> None:
    (tables,) = _simulate(SimulatedModel(effect=-6.0), adverbs, [0])
    validity = METHOD.validity(tables)
    assert validity.level == "none"
    assert '"not" wins in' in validity.reason or "does not expect the adverb" in validity.reason


def test_a_model_without_any_error_is_read_with_care_but_not_refused(adverbs: ContrastMaterials) -> None:
    (tables,) = _simulate(SimulatedModel(effect=9.0), adverbs, [0])
    assert METHOD.validity(tables).level == "weak"
    assert METHOD.headline({"m": tables}).startswith('m prefers the adverb to "not"')


def test_a_share_that_is_always_zero_has_an_interval_that_admits_more(adverbs: ContrastMaterials) -> None:
    (tables,) = _simulate(SimulatedModel(effect=-9.0), adverbs, [0])
    rows = tables["measures"].filter(pl.col("item").is_null() & (pl.col("measure") == "acc"))
    assert rows.filter(pl.col("value") == 0).height >= 20
    assert rows["high"].to_numpy().min() > 0.08
    no_width = tables["measures"].filter(pl.col("low") == pl.col("high"))
    assert no_width.is_empty()


def test_the_coefficients_of_the_regression_cover_the_truth() -> None:
    """Words are drawn anew, and nothing is planted: every coefficient of the logarithm is 0."""
    settings = ContrastSettings(resamples=20, bigrams="intensifier:bigrams.csv")  # type: ignore[arg-type]
    materials = METHOD.materials(load_probe("intensifier"), settings)
    covered = defaultdict(list)
    for seed in range(DATASETS // 2):
        items = item_table(materials, SimulatedModel().answers(materials, seed), ties_are_wrong=False)
        for row in regression_rows(materials, settings, items):
            covered[row["measure"]].append(row["low"] <= 0 <= row["high"])  # type: ignore[operator]
    unmarked = {measure: hits for measure, hits in covered.items() if str(measure).startswith("log diff")}
    assert len(unmarked) == 5
    for measure, hits in unmarked.items():
        share = share_interval(hits)
        assert share.low <= 0.97, f"{measure}: {share.value:.3f}"
        assert share.high >= 0.93, f"{measure}: {share.value:.3f}"
