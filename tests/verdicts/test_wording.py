"""Words are said to shift labels in a wording, or to flip with it, no more falsely than stated, and are found."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.base import Tables, Verdict
from tacit.methods.wording import Wording, WordingSettings
from tacit.methods.wording.simulation import SimulatedModel, make_materials
from tacit.statistics import share_interval
from tacit.validation import count_discoveries, interval_coverage
from tests.verdicts.datasets import DATASETS

METHOD, SETTINGS = Wording(), WordingSettings(resamples=50)
MATERIALS = make_materials(reviews=60, words=4, prompts=2, labels=2)
SHAPE = (2, 2, 4)
SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
SHIFT, FLIP = "words that shift labels", "words that flip"


def simulate(model: SimulatedModel, datasets: int) -> list[Tables]:
    return [METHOD.measure(MATERIALS, SETTINGS, model.answers(MATERIALS, seed)) for seed in range(datasets)]


@pytest.fixture(scope="module")
def at_margin() -> list[Tables]:
    """Every word shifts exactly as many labels as the margin allows, half of them up and half down."""
    # Besides, five labels in a hundred of either kind turn, which leaves nine tenths of a shift.
    return simulate(SimulatedModel(np.broadcast_to(0.1 / 0.9 * SIGNS, SHAPE)), DATASETS // 2)


def test_words_on_the_margin_are_seldom_said_to_shift_or_flip(at_margin: list[Tables]) -> None:
    counted = count_discoveries(METHOD, [(tables, lambda _: False) for tables in at_margin])
    for family in (SHIFT, FLIP):
        assert counted[family].holds, (family, counted[family])


def test_deciding_each_word_and_wording_alone_would_be_noticed(at_margin: list[Tables]) -> None:
    """The sign of a shift beyond the margin, without an interval."""
    beyond = [bool((tables["scores"]["net_shift"].abs() > 0.1).any()) for tables in at_margin]
    assert share_interval(beyond).low > 0.5


def test_words_that_flip_with_the_prompt_are_found_and_others_are_not() -> None:
    shifts = np.broadcast_to(0.4 * SIGNS, SHAPE).copy()
    shifts[1, :, :2] *= -1
    simulated = simulate(SimulatedModel(shifts), DATASETS // 4)

    def is_true(verdict: Verdict) -> bool:
        flips = verdict.claim.startswith(("neutral-0 ", "neutral-1 "))
        return flips if verdict.family == FLIP else True

    counted = count_discoveries(METHOD, [(tables, is_true) for tables in simulated])
    assert counted[FLIP].holds, counted[FLIP]
    for family in (SHIFT, FLIP):
        found = counted[family].found
        assert found is not None
        assert found >= 0.9, family


def test_a_model_that_labels_like_a_coin_makes_no_claim() -> None:
    simulated = simulate(SimulatedModel(np.full(SHAPE, 0.4), accuracy=0.5), DATASETS // 4)
    assert share_interval([not METHOD.validity(tables).can_be_interpreted for tables in simulated]).high >= 0.95


def test_every_interval_covers_or_is_marked(at_margin: list[Tables]) -> None:
    for row in interval_coverage(at_margin):
        assert row.marked or row.covered.high >= 0.93, row
