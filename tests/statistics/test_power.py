"""The minimum detectable effect: its textbook factor, its meaning by simulation, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacit.errors import TacitError
from tacit.statistics import minimum_detectable_effect


def test_five_percent_and_eighty_percent_give_the_textbook_factor() -> None:
    assert minimum_detectable_effect(1, 1) == pytest.approx(2.8016, abs=1e-4)


def test_four_times_the_items_halve_the_effect() -> None:
    assert minimum_detectable_effect(2, 400) == pytest.approx(minimum_detectable_effect(2, 100) / 2)


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9)])
def test_an_effect_of_that_size_is_found_that_often(alpha: float, power: float) -> None:
    effect = minimum_detectable_effect(3, 200, alpha, power)
    studies = np.random.default_rng(1).normal(effect, 3, size=(4000, 200))
    assert np.mean(stats.ttest_1samp(studies, 0, axis=1).pvalue <= alpha) == pytest.approx(power, abs=0.025)


@pytest.mark.parametrize("arguments", [(-1, 10), (1, 0), (float("nan"), 10), (1, 10, 0), (1, 10, 0.05, 1)])
def test_impossible_designs_are_refused(arguments: tuple[float, ...]) -> None:
    with pytest.raises(TacitError):
        minimum_detectable_effect(*arguments)  # type: ignore[arg-type]
