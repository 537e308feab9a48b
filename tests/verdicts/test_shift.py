"""The shift test decides words wrongly no more often than it states, in both designs, and finds words that shift.

The answers are simulated with the spread and clustering of the standards: reviews near the border and far from it, and
copies of a word that move all labels a little.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from tacit.methods.base import Tables, Verdict
from tacit.methods.shift import Shift, ShiftSettings
from tacit.methods.shift.formulas import largest_q
from tacit.methods.shift.simulation import SimulatedModel, asked_answers, make_materials
from tacit.runs.compare import compare_tables
from tacit.statistics import Interval, share_interval
from tacit.validation import Discoveries, count_discoveries, interval_coverage
from tests.verdicts.datasets import DATASETS

METHOD, MATERIALS = Shift(), make_materials(reviews=50, neutral=12)
DESIGNS = ("exact", "sequential")
# Every word shifts exactly as many labels as the margin allows, so that no claim is true.
AT_MARGIN = SimulatedModel(effect=0.5)
MARGIN = float(np.abs(AT_MARGIN.net_shifts(MATERIALS, ShiftSettings(), 0)).max())
# Half of the words shift 40 % of the labels, the others none.
MIXTURE = SimulatedModel(effect=1.5, share=0.5)
NOTHING, ONE_SIDED = SimulatedModel(), SimulatedModel(effect=0.5, toward=1.0)
SHIFT, WITHIN = "words that shift labels", "words within the margin"

Simulated = dict[str, list[Tables]]


def settings(design: str, seed: int = 0, margin: float = 0.1) -> ShiftSettings:
    return ShiftSettings(design=design, seed=seed, margin=margin, resamples=100)  # type: ignore[arg-type]


def simulate(model: SimulatedModel, design: str, datasets: int = DATASETS, margin: float = 0.1) -> list[Tables]:
    tables = []
    for seed in range(datasets):
        chosen = settings(design, seed, margin)
        answers = asked_answers(MATERIALS, chosen, model.answers(MATERIALS, chosen, seed))
        tables.append(METHOD.measure(MATERIALS, chosen, answers))
    return tables


@pytest.fixture(scope="module")
def at_margin() -> Simulated:
    return {design: simulate(AT_MARGIN, design, margin=MARGIN) for design in DESIGNS}


@pytest.fixture(scope="module")
def mixture() -> Simulated:
    """Fewer data sets of the sequential design: only its power is read from them."""
    datasets = {"exact": DATASETS, "sequential": DATASETS // 4}
    return {design: simulate(MIXTURE, design, datasets[design]) for design in DESIGNS}


def true_claims(model: SimulatedModel, seed: int, margin: float) -> Callable[[Verdict], bool]:
    shifts = dict(zip(MATERIALS.words["word"], model.net_shifts(MATERIALS, ShiftSettings(), seed), strict=True))

    def is_true(verdict: Verdict) -> bool:
        shift = shifts[verdict.claim.split()[0]]
        if verdict.family == WITHIN:
            return bool(abs(shift) < margin - 1e-9)
        return bool(shift > margin + 1e-9 if verdict.claim.endswith("positive") else shift < -margin - 1e-9)

    return is_true


def discoveries(model: SimulatedModel, simulated: list[Tables], margin: float) -> dict[str, Discoveries]:
    data_sets = [(tables, true_claims(model, seed, margin)) for seed, tables in enumerate(simulated)]
    return count_discoveries(METHOD, data_sets)


@pytest.mark.parametrize("design", DESIGNS)
def test_words_on_the_margin_are_decided_no_more_often_than_stated(design: str, at_margin: Simulated) -> None:
    for family, counted in discoveries(AT_MARGIN, at_margin[design], MARGIN).items():
        assert counted.holds, (family, counted)
        assert counted.any_false.value < 0.09, (family, counted)


def test_deciding_about_these_reviews_alone_would_be_noticed(at_margin: Simulated) -> None:
    """What the exact design did before: the net shift of the reviews that were asked, taken for that of all reviews."""
    beyond = [bool((tables["words"]["net_shift"].abs() > MARGIN).any()) for tables in at_margin["exact"]]
    assert share_interval(beyond).low > 0.9


@pytest.mark.parametrize(("design", "power"), [("exact", 0.95), ("sequential", 0.6)])
def test_words_that_shift_labels_are_found_and_few_claims_are_false(
    design: str, power: float, mixture: Simulated
) -> None:
    counted = discoveries(MIXTURE, mixture[design], 0.1)
    assert counted[SHIFT].holds, counted[SHIFT]
    assert counted[WITHIN].holds, counted[WITHIN]
    assert counted[SHIFT].found is not None
    assert counted[SHIFT].found >= power


def test_the_sequential_design_asks_less(mixture: Simulated) -> None:
    asked = [float(tables["words"]["share_asked"].to_numpy().mean()) for tables in mixture["sequential"]]
    assert np.mean(asked) < 1 / 3


def test_a_model_that_labels_like_a_coin_makes_no_claim() -> None:
    simulated = simulate(SimulatedModel(sensed=0.0, effect=1.5), "exact", 60)
    refused = share_interval([not METHOD.validity(tables).can_be_interpreted for tables in simulated])
    assert refused.high >= 0.975
    assert refused.value > 0.9


@pytest.mark.parametrize("model", [AT_MARGIN, MIXTURE])
def test_intervals_of_single_words_cover(model: SimulatedModel, at_margin: Simulated, mixture: Simulated) -> None:
    simulated = at_margin if model is AT_MARGIN else mixture
    for design, least, most in (("exact", 0.93, 0.97), ("sequential", 0.95, 1.0)):
        unit, shares = largest_q((5, 10, 15)), []
        for seed, tables in enumerate(simulated[design]):
            truth = unit * model.net_shifts(MATERIALS, ShiftSettings(), seed)
            low, high = (tables["words"][end].to_numpy() for end in ("low", "high"))
            shares.append(np.mean((low <= truth) & (truth <= high)))
        assert least <= np.mean(shares) <= most, design


def test_the_wide_intervals_of_the_sequential_design_are_marked(mixture: Simulated) -> None:
    rows = mixture["sequential"][0]["measures"].filter(pl.col("item").is_not_null())
    assert set(rows["caution"]) == {"holds for all words at once, so it is wide"}


def test_every_other_interval_covers_or_is_marked(mixture: Simulated) -> None:
    covered = interval_coverage(mixture["exact"])
    assert {row.measure for row in covered if not row.marked} == {
        "accuracy before",
        "balanced accuracy before",
        "net shift",
        "q",
        "strength",
    }
    for row in covered:
        if not row.marked:
            assert row.covered.high >= 0.93, row
            assert row.covered.low <= 0.97, row


def test_strength_is_right_on_average(mixture: Simulated) -> None:
    """The mean square of the net shifts, without what the noise of 100 reviews adds."""
    truth = np.mean(
        [np.mean(MIXTURE.net_shifts(MATERIALS, ShiftSettings(), seed) ** 2) for seed in range(len(mixture["exact"]))]
    )
    rows = pl.concat(tables["measures"].filter(pl.col("measure") == "strength") for tables in mixture["exact"])
    assert np.mean(rows["value"].to_numpy() ** 2) == pytest.approx(float(truth), rel=0.05)


def findings(first: list[Tables], second: list[Tables]) -> tuple[Interval, list[str]]:
    chosen, sentences = settings("exact"), []
    measures = METHOD.comparisons(MATERIALS, chosen)
    for one, two in zip(first, second, strict=True):
        compared = compare_tables("probe", measures, {"one": one, "two": two}, chosen.resampling)
        sentences.append(" ".join(compared.findings))
    return share_interval([bool(sentence) for sentence in sentences]), sentences


def test_models_of_one_population_differ_no_more_often_than_stated(mixture: Simulated) -> None:
    share, _ = findings(*map(list, zip(*pairwise(mixture["exact"]), strict=True)))
    assert share.low <= 0.05, share
    assert share.value < 0.09, share


@pytest.mark.parametrize(
    ("model", "sentence"), [(MIXTURE, "one has stronger leanings"), (ONE_SIDED, "one leans more positive")]
)
def test_a_planted_difference_between_models_is_found(model: SimulatedModel, sentence: str) -> None:
    _, sentences = findings(simulate(model, "exact", 30), simulate(NOTHING, "exact", 30))
    assert np.mean([sentence in found for found in sentences]) >= 0.8
