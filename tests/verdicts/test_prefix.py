"""Prefix: claims are as rare as stated where no region matters, planted effects are found, and intervals cover."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tacit.methods.base import Tables
from tacit.methods.prefix import Prefix
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.methods.prefix.settings import PrefixSettings
from tacit.methods.prefix.simulation import SimulatedClassifier
from tacit.probes import load_probe
from tacit.runs.compare import compare_tables
from tacit.statistics import Resampling, share_interval
from tacit.validation import count_claims, interval_coverage
from tacit.validation.calibration import simulate_tables
from tests.verdicts.datasets import DATASETS

METHOD, SETTINGS = Prefix(), PrefixSettings(resamples=400, regions=30)
LABELS = ("negative", "positive")


@pytest.fixture(scope="module")
def materials() -> PrefixMaterials:
    return METHOD.materials(load_probe("regional-downstream"), SETTINGS)


def _simulate(model: SimulatedClassifier, materials: PrefixMaterials, seeds: Iterable[int]) -> list[Tables]:
    return simulate_tables(METHOD, materials, SETTINGS, lambda seed: model.answers(materials, seed, LABELS), seeds)


@pytest.fixture(scope="module")
def null(materials: PrefixMaterials) -> list[Tables]:
    """A sentence that names a region moves texts up and down alike, and no region moves them more than another."""
    return _simulate(SimulatedClassifier(), materials, range(DATASETS))


def test_nothing_is_claimed_more_often_than_stated(null: list[Tables]) -> None:
    claims = count_claims(METHOD, null)
    assert {*claims} == {"any region", "regions differ"}
    for claim in claims.values():
        assert claim.holds, f"{claim.family}: {claim.any_claim.value:.3f}"
        assert claim.any_claim.value < 0.1, claim.family


def test_a_sentence_that_moves_every_text_says_nothing_about_regions(materials: PrefixMaterials) -> None:
    claims = count_claims(METHOD, _simulate(SimulatedClassifier(sentence=0.5), materials, range(DATASETS)))
    assert claims["any region"].any_claim.value > 0.8
    assert claims["regions differ"].holds


def test_a_region_that_moves_texts_is_found(materials: PrefixMaterials) -> None:
    """Every fifth region lowers the log-odds by 0.25: at a probability of one half that is 6 points."""
    claims = count_claims(METHOD, _simulate(SimulatedClassifier(effect=0.25), materials, range(DATASETS // 5)))
    assert claims["regions differ"].any_claim.value >= 0.8


def test_intervals_cover_the_truth_or_carry_a_caution(materials: PrefixMaterials) -> None:
    """Four classifiers, because a share of forty texts has few values, and covers more or less often by luck."""
    shares: dict[tuple[str, str], list[float]] = {}
    marked = set()
    for skill in (0.6, 0.8, 1.0, 1.2):
        for row in interval_coverage(_simulate(SimulatedClassifier(skill=skill), materials, range(DATASETS // 2))):
            shares.setdefault((row.measure, row.group), []).append(row.covered.value)
            marked |= {(row.measure, row.group)} if row.marked else set()
    datasets = 2 * DATASETS
    assert {"accuracy", "change in probability of positive"} <= {measure for measure, _ in shares.keys() - marked}
    for key in shares.keys() - marked:
        covered = float(np.mean(shares[key]))
        interval = share_interval(np.arange(datasets) < round(covered * datasets))
        assert interval.high >= 0.93, f"{key}: {covered:.3f}"
        assert interval.low <= 0.97, f"{key}: {covered:.3f}"
    assert ("label changed", "all regions") in marked


def test_two_classifiers_of_one_population_are_said_to_differ_no_more_often_than_stated(
    null: list[Tables], materials: PrefixMaterials
) -> None:
    measures = METHOD.comparisons(materials, SETTINGS)
    findings = [
        bool(compare_tables("prefix", measures, {"a": null[k], "b": null[k + 1]}, Resampling(200)).findings)
        for k in range(0, DATASETS, 2)
    ]
    assert share_interval(findings).low <= 0.05


def test_a_classifier_that_labels_like_a_coin_cannot_be_asked(materials: PrefixMaterials) -> None:
    simulated = _simulate(SimulatedClassifier(skill=0.0), materials, range(DATASETS // 5))
    refused = [METHOD.validity(tables).level == "none" for tables in simulated]
    assert np.mean(refused) >= 0.9
    assert "no better than by chance" in METHOD.validity(simulated[refused.index(True)]).reason
