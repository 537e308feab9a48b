"""The association test says "leans" and "within the margin" no more often in error than it states, and finds leanings.

The answers are simulated with the spread and clustering of the standard `modern`: reviews move many words together.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from tacit.methods.association import Association, AssociationSettings
from tacit.methods.association.simulation import SimulatedModel, make_materials
from tacit.methods.base import Tables, Verdict
from tacit.runs.compare import compare_tables
from tacit.statistics import Interval, share_interval
from tacit.validation import count_discoveries, interval_coverage
from tests.verdicts.datasets import DATASETS

METHOD, SETTINGS = Association(), AssociationSettings(resamples=200)
MARGIN = SETTINGS.margin
MATERIALS = make_materials(reviews=30, neutral=20, charged=10)
# Every word differs by exactly the margin, so that no claim is true, and all data sets are about the same words.
AT_MARGIN = SimulatedModel(effect=MARGIN, words=9)
# Three words in ten lean clearly, to either side, and the others hardly.
MIXTURE = SimulatedModel(effect=1.6, share=0.3, spread=0.1)
NOTHING = SimulatedModel(spread=0.1)
STRONGER, ONE_SIDED = SimulatedModel(effect=1.2, share=0.6), SimulatedModel(effect=0.6, toward=1.0)

LEAN, WITHIN = "words that lean", "words within the margin"


def simulate(model: SimulatedModel, datasets: int = DATASETS) -> list[Tables]:
    return [METHOD.measure(MATERIALS, SETTINGS, model.answers(MATERIALS, seed)) for seed in range(datasets)]


@pytest.fixture(scope="module")
def at_margin() -> list[Tables]:
    return simulate(AT_MARGIN)


@pytest.fixture(scope="module")
def mixture() -> list[Tables]:
    return simulate(MIXTURE)


@pytest.fixture(scope="module")
def nothing() -> list[Tables]:
    return simulate(NOTHING, 24)


def true_claims(model: SimulatedModel, seed: int) -> Callable[[Verdict], bool]:
    effects = dict(zip(MATERIALS.words["word"], model.effects(MATERIALS, seed), strict=True))

    def is_true(verdict: Verdict) -> bool:
        effect = effects[verdict.claim.split()[0]]
        if verdict.family == WITHIN:
            return bool(abs(effect) < MARGIN)
        return bool(effect > MARGIN if verdict.claim.endswith("positive") else effect < -MARGIN)

    return is_true


def discoveries(model: SimulatedModel, simulated: list[Tables]):  # type: ignore[no-untyped-def]
    return count_discoveries(METHOD, [(tables, true_claims(model, seed)) for seed, tables in enumerate(simulated)])


def test_words_on_the_margin_are_called_no_more_often_than_stated(at_margin: list[Tables]) -> None:
    """Here every claim is false, so that the false discovery rate is the share of data sets with a claim."""
    for family, counted in discoveries(AT_MARGIN, at_margin).items():
        assert counted.holds, (family, counted)
        assert counted.false_share.value < 0.09, (family, counted)


def test_a_lenient_test_would_be_noticed(at_margin: list[Tables]) -> None:
    """Without the correction for the number of words, nearly every data set would have a word that leans."""
    words = [tables["words"].filter(pl.col("polarity") == "neutral") for tables in at_margin]
    assert share_interval([bool((table["p"] < 0.05).any()) for table in words]).low > 0.3


def test_few_claims_are_false_where_some_words_lean_and_leanings_are_found(mixture: list[Tables]) -> None:
    counted = discoveries(MIXTURE, mixture)
    assert counted[LEAN].holds, counted[LEAN]
    assert counted[WITHIN].holds, counted[WITHIN]
    assert counted[LEAN].found > 0.7


def test_a_model_that_senses_nothing_makes_no_claim() -> None:
    simulated = simulate(SimulatedModel(sensed=0.0, effect=1.6, share=0.3), 24)
    refused = share_interval([not METHOD.validity(tables).can_be_interpreted for tables in simulated])
    assert refused.high >= 0.95
    assert refused.value > 0.8


def coverage(simulated: list[Tables], measures: tuple[str, ...]) -> dict[tuple[str, str], Interval]:
    covered = [row for row in interval_coverage(simulated) if row.measure in measures]
    assert not any(row.marked for row in covered)
    return {(row.measure, row.group): row.covered for row in covered}


def assert_covers(covered: Interval, name: object, most: float = 0.97) -> None:
    """Not shown to lie outside 93 to 97 %."""
    assert covered.high >= 0.93, (name, covered)
    assert covered.low <= most, (name, covered)


def test_intervals_over_reviews_cover(at_margin: list[Tables]) -> None:
    measures = ("review leaning", "reviews of the right sign", "reviews told apart")
    covered = coverage(at_margin, measures)
    assert len(covered) == 4
    for name, share in covered.items():
        assert_covers(share, name)


def test_intervals_of_single_words_cover(at_margin: list[Tables]) -> None:
    effects = AT_MARGIN.effects(MATERIALS, 0)
    shares = [
        np.mean((words["low"].to_numpy() <= effects) & (effects <= words["high"].to_numpy()))
        for words in (tables["words"] for tables in at_margin)
    ]
    assert 0.93 <= np.mean(shares) <= 0.97


def test_intervals_over_words_and_reviews_cover(mixture: list[Tables]) -> None:
    measures = ("leaning share", "leaning positive share", "leaning negative share", "undecided share", "association")
    for name, share in coverage(mixture, measures).items():
        if name[1] == "neutral words":
            # Shares of 24 words move in steps, which makes their intervals wider rather than narrower.
            assert_covers(share, name, most=0.985)


def test_strength_does_not_depend_on_the_number_of_reviews(mixture: list[Tables]) -> None:
    """The root mean square of the effects is 1.6 √0.3 and their spread, whatever noise the reviews add."""
    truth = np.sqrt(0.3 * 1.6**2 + 0.1**2)
    (covered,) = [
        row.covered
        for row in interval_coverage(mixture, lambda *_: float(truth))
        if (row.measure, row.group) == ("strength", "neutral words")
    ]
    assert_covers(covered, "strength")


def findings(first: list[Tables], second: list[Tables]) -> tuple[Interval, list[str]]:
    measures, sentences = METHOD.comparisons(MATERIALS, SETTINGS), []
    for one, two in zip(first, second, strict=True):
        compared = compare_tables("probe", measures, {"one": one, "two": two}, SETTINGS.resampling)
        sentences.append(" ".join(compared.findings))
    return share_interval([bool(sentence) for sentence in sentences]), sentences


def test_models_of_one_population_differ_no_more_often_than_stated(mixture: list[Tables]) -> None:
    share, _ = findings(*map(list, zip(*pairwise(mixture), strict=True)))
    assert share.low <= 0.05, share
    assert share.value < 0.09, share


@pytest.mark.parametrize(
    ("model", "sentence"), [(STRONGER, "one has stronger leanings"), (ONE_SIDED, "one leans more positive")]
)
def test_a_planted_difference_between_models_is_found(
    model: SimulatedModel, sentence: str, nothing: list[Tables]
) -> None:
    _, sentences = findings(simulate(model, len(nothing)), nothing)
    assert np.mean([sentence in found for found in sentences]) >= 0.8
