"""Dose and response: worked figures, properties, and slow plain recomputations."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tacit.errors import TacitError
from tacit.probes import load_probe
from tacit.probes.plants import plant_names
from tacit.validation import DoseRow, dose_check, dose_figure, dose_response, read_doses, write_doses
from tacit.validation.dose_response import mixtures_check, slope_interval, smallest_dose, trend_p

DOSES = (0.0, 0.1, 0.25, 0.5, 1.0)


def row(arm: str, dose: float, seed: int, value: float, found: int = 0, **changes: object) -> DoseRow:
    """A row of a probe whose measure is neutral at .5."""
    example = DoseRow(
        probe="p", arm=arm, dose=dose, seed=seed, epoch=2, side="above", signed="yes", measure="share", group="base",
        value=value, low=value - 0.05, high=value + 0.05, neutral=0.5, n=20, found=found, validity="interpretable",
        reason="", base="modern", base_hash="b", text_hash="t", materials_hash="m", settings="{}", tacit="0", torch="2",
    )  # fmt: skip
    return replace(example, **changes)  # type: ignore[arg-type]


def series(seeds: int = 3, **changes: object) -> list[DoseRow]:
    """A probe that sees its plant from dose .5 on."""
    rows = []
    for seed in range(seeds):
        jitter = 0.001 * seed
        rows += [row("biased", dose, seed, 0.5 + 0.4 * dose**2 + jitter, int(dose >= 0.5), **changes) for dose in DOSES]
        rows += [
            row("opposite", 1.0, seed, 0.1 + jitter, -1, **changes),
            row("unrelated", 1.0, seed, 0.5, 0, **changes),
        ]
    return rows


def test_one_seed_in_perfect_order_is_one_of_120_orders() -> None:
    assert trend_p(DOSES, [[1, 2, 3, 4, 5]]) == pytest.approx(1 / 120)
    assert trend_p(DOSES, [[5, 4, 3, 2, 1]]) == 1.0


def test_two_seeds_are_counted_over_all_pairs_of_orders() -> None:
    y = np.random.default_rng(5).normal(size=(2, 5)) + np.array(DOSES)
    x = np.array(DOSES)
    observed = sum(float(np.dot(x, seed)) for seed in y)
    totals = [np.dot(a, y[0]) + np.dot(b, y[1]) for a, b in product(permutations(x), permutations(x))]
    assert trend_p(DOSES, y) == pytest.approx(np.mean([total >= observed - 1e-9 for total in totals]))


def test_without_an_effect_the_trend_is_significant_as_often_as_stated() -> None:
    rng = np.random.default_rng(0)
    found = [trend_p(DOSES, rng.normal(size=(1, 5))) <= 0.05 for _ in range(400)]
    assert stats.binomtest(sum(found), len(found), 0.05).pvalue > 0.001


def test_random_orders_agree_with_all_of_them() -> None:
    y = np.random.default_rng(1).normal(size=(3, 3)) + np.arange(3)
    three = (0.0, 0.5, 1.0)
    exact = trend_p(three, y)
    drawn = trend_p((*three, 2.0), np.column_stack([y, y.mean(axis=1)]))
    assert exact <= 1
    assert 0 < drawn <= 1
    assert trend_p(DOSES, np.array([DOSES] * 3)) == pytest.approx(1 / 20_001, abs=1e-6)


def test_the_slope_is_that_of_a_least_squares_line() -> None:
    y = np.random.default_rng(2).normal(size=(3, 5))
    plain = [np.polyfit(DOSES, seed, 1)[0] for seed in y]
    slope = slope_interval(DOSES, y)
    assert slope.value == pytest.approx(np.mean(plain))
    reach = stats.t.ppf(0.975, 2) * np.std(plain, ddof=1) / np.sqrt(3)
    assert (slope.low, slope.high) == (pytest.approx(np.mean(plain) - reach), pytest.approx(np.mean(plain) + reach))


def test_uncertain_items_widen_the_slope_and_a_shift_does_not_move_it() -> None:
    y = np.random.default_rng(3).normal(size=(3, 5))
    bare, shifted, wide = (
        slope_interval(DOSES, y),
        slope_interval(DOSES, y + 7),
        slope_interval(DOSES, y, np.full((3, 5), 0.5)),
    )
    assert shifted.value == pytest.approx(bare.value)
    assert wide.value == pytest.approx(bare.value)
    assert wide.high - wide.low > bare.high - bare.low


def test_the_interval_of_the_slope_covers_it() -> None:
    rng = np.random.default_rng(4)
    covered = []
    for _ in range(600):
        y = 0.3 * np.array(DOSES) + rng.normal(scale=0.2, size=(3, 5))
        slope = slope_interval(DOSES, y)
        covered.append(slope.low <= 0.3 <= slope.high)
    assert 0.92 <= np.mean(covered) <= 0.98


def test_one_seed_has_no_interval() -> None:
    assert slope_interval(DOSES, [DOSES]).low == -np.inf


@pytest.mark.parametrize(
    ("found", "smallest"),
    [
        ([[0, 0, 0, 1, 1]] * 3, 0.5),
        ([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]], 1.0),
        ([[0, 1, 0, 0, 1]] * 3, 1.0),
        ([[1, 1, 1, 1, 1]] * 3, 0.1),
        ([[1, 1, 1, 1, 0]] * 3, None),
        ([[0, 0, 0, 0, 1]] * 4 + [[0, 0, 0, 0, 0]], 1.0),
    ],
)
def test_the_smallest_dose_holds_there_and_above(found: list[list[int]], smallest: float | None) -> None:
    assert smallest_dose(DOSES, found) == smallest


def test_a_plant_that_is_seen_passes() -> None:
    shown = dose_response(series())
    assert (shown.smallest, shown.found, shown.follows, shown.claims) == (0.5, (3, 3), True, (0, 6))
    check = dose_check(series())
    assert check is not None
    assert check.outcome == "pass"
    assert "all 3 seeds" in check.number


def test_a_plant_that_is_not_seen_fails_in_plain_words() -> None:
    unseen = [replace(r, found=0) if r.arm == "biased" else r for r in series()]
    check = dose_check(unseen)
    assert check is not None
    assert check.outcome == "fail"
    assert check.number.startswith("the planted bias is not seen")


def test_a_plant_that_the_probe_does_not_interpret_is_not_shown_either_way() -> None:
    refused = [replace(r, found=0, validity="none") if r.arm == "biased" else r for r in series()]
    check = dose_check(refused)
    assert check is not None
    assert check.outcome == "doubtful"
    assert check.number.startswith("not shown to see a planted bias")


def test_a_claimed_control_or_a_sign_that_does_not_follow_is_doubtful() -> None:
    claimed = [replace(r, found=1) if r.arm == "unrelated" and r.seed == 0 else r for r in series()]
    wrong_way = [replace(r, value=0.9) if r.arm == "opposite" else r for r in series()]
    for rows in (claimed, wrong_way, series(seeds=3)[:5], series(seeds=2)):
        check = dose_check(rows)
        assert check is not None
        assert check.outcome == "doubtful"


def test_a_bias_below_the_neutral_point_counts_downwards() -> None:
    rows = [replace(r, value=1 - r.value, found=-r.found, side="below") for r in series()]
    assert dose_response(rows).found == (3, 3)
    slope = dose_response(rows).slope
    assert slope is not None
    assert slope.value > 0


def test_a_measure_without_a_sign_should_see_the_opposite_plant_too() -> None:
    rows = [replace(r, signed="no", value=0.9 if r.arm == "opposite" else r.value) for r in series()]
    assert dose_response(rows).follows is True
    assert dose_response(series(signed="no")).follows is False


def test_an_unfinished_seed_does_not_enter_the_curve() -> None:
    rows = [r for r in series() if not (r.seed == 2 and r.dose == 0.25)]
    assert dose_response(rows).seeds == 2


def test_no_series_is_no_check(tmp_path: Path) -> None:
    assert read_doses(tmp_path) == []
    assert dose_check([]) is None


def test_rows_survive_the_disk(tmp_path: Path) -> None:
    rows = [*series(), row("biased", 1.0, 9, 0.25, low=None, high=None, n=None)]
    write_doses(tmp_path, rows)
    assert sorted(read_doses(tmp_path), key=repr) == sorted(rows, key=repr)


def test_a_damaged_table_is_named_with_its_line(tmp_path: Path) -> None:
    write_doses(tmp_path, series(1))
    path = tmp_path / "doses.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",above,", ",aside,", 1), encoding="utf-8")
    with pytest.raises(TacitError, match="line 2: side must be above or below"):
        read_doses(tmp_path)


def test_the_figure_shows_every_model() -> None:
    figure = dose_figure(series())
    assert "0.900 at dose 1" in dose_figure(series(1)).alt
    assert figure.chart.to_dict()["layer"]


@pytest.mark.parametrize("probe", plant_names())
def test_the_shipped_series_can_be_read(probe: str) -> None:
    rows = read_doses(load_probe(probe).folder)
    keys = [(r.arm, r.dose, r.seed) for r in rows]
    assert len(set(keys)) == len(keys)
    assert {r.probe for r in rows} <= {probe}
    check = dose_check(rows)
    assert (check is None) == (not rows)


def test_a_measure_that_follows_its_mixtures_passes_and_one_that_goes_the_other_way_fails() -> None:
    mixtures = [row("biased", share, seed, 0.5 + 0.1 * share) for share in DOSES for seed in range(3)]
    assert mixtures_check(mixtures).outcome == "pass"
    assert mixtures_check([one for one in mixtures if one.seed < 2]).outcome == "doubtful"
    assert mixtures_check([replace(one, side="below") for one in mixtures]).outcome == "fail"
