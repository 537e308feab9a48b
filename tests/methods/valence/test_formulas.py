"""Beta and delta: the nine printed columns of Tables 1-3, properties, and a plain re-computation."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods.valence.formulas import beta, beta_bounds, delta, delta_bounds, renormalize


class Column(NamedTuple):
    where: str
    rho: float
    p: list[float]
    sigma: list[float]
    beta: float
    delta: float


# Cuscito, Ferrara and Ruskov 2024, Tables 1-3; beta and delta as printed there.
COLUMNS = [
    Column("1 BERT Base", -1, [0.712, 0.101, 0.085, 0.055, 0.048], [-1, 0, 0, 0, 0], -0.712, 0.856),
    Column("1 MacBERTh", -1, [0.987, 0.008, 0.004, 0.001, 0.000], [-1, 0, 0, -1, 0], -0.988, 0.994),
    Column("1 English HLM", -1, [0.639, 0.303, 0.031, 0.022, 0.005], [0, -1, 0, 0, 0], -0.303, 0.652),
    Column("2 BERT Base", 0, [0.924, 0.066, 0.004, 0.003, 0.003], [0, 0.5, -0.5, -0.5, 1], 0.032, 0.984),
    Column("2 MacBERTh", 0, [0.740, 0.170, 0.045, 0.025, 0.020], [-1, 0, -0.5, 0, 0], -0.762, 0.619),
    Column("2 English HLM", 0, [0.691, 0.194, 0.051, 0.034, 0.031], [0, 0.5, 0, 0, -1], 0.066, 0.967),
    Column("3 BERT Base", 1, [0.720, 0.112, 0.067, 0.052, 0.048], [1, 1, 1, 1, 1], 1.000, 1.000),
    Column("3 MacBERTh", 1, [0.493, 0.165, 0.130, 0.117, 0.095], [-0.5, 1, 0.5, 0, 0.5], 0.031, 0.516),
    Column("3 English HLM", 1, [0.319, 0.294, 0.187, 0.104, 0.096], [0, 0, 0, 0, 0], 0.000, 0.500),
]
PRINTED_DIGIT = 0.001

scores = st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0])
columns = st.lists(st.tuples(scores, st.floats(1e-6, 1.0)), min_size=1, max_size=12)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.where)
def test_tables_1_to_3_come_out_to_the_printed_digit(column: Column) -> None:
    bias = beta(column.sigma, renormalize(column.p))
    assert bias == pytest.approx(column.beta, abs=PRINTED_DIGIT)
    assert delta(column.rho, bias) == pytest.approx(column.delta, abs=PRINTED_DIGIT)


def test_printed_probabilities_are_already_shares_of_the_five() -> None:
    assert all(sum(column.p) == pytest.approx(1, abs=0.0011) for column in COLUMNS)


@given(columns)
def test_plain_sum_agrees(column: list[tuple[float, float]]) -> None:
    total = math.fsum(p for _, p in column)
    expected = math.fsum(sigma * p / total for sigma, p in column)
    sigma, p = zip(*column, strict=True)
    assert beta(sigma, renormalize(p)) == pytest.approx(expected, abs=1e-12)


@given(columns)
def test_bias_lies_between_the_scores_it_weighs(column: list[tuple[float, float]]) -> None:
    sigma, p = zip(*column, strict=True)
    assert min(sigma) - 1e-9 <= beta(sigma, renormalize(p)) <= max(sigma) + 1e-9


@given(columns, scores)
def test_turning_the_scale_round_turns_beta_and_keeps_delta(column: list[tuple[float, float]], rho: float) -> None:
    sigma, p = (np.array(part) for part in zip(*column, strict=True))
    bias, turned = beta(sigma, renormalize(p)), beta(-sigma, renormalize(p))
    assert turned == pytest.approx(-bias)
    assert delta(-rho, turned) == pytest.approx(delta(rho, bias))


def test_delta_of_a_wider_scale_is_measured_by_its_width() -> None:
    assert delta(1, 5, width=4) == 0
    assert delta(3, 5, width=4) == 0.5


def test_no_mass_has_no_shares() -> None:
    assert np.isnan(renormalize([0.0, 0.0])).all()


def test_a_whole_table_is_computed_row_by_row() -> None:
    both = beta([column.sigma for column in COLUMNS[:2]], renormalize([column.p for column in COLUMNS[:2]]))
    alone = [float(beta(column.sigma, renormalize(column.p))) for column in COLUMNS[:2]]
    assert both.tolist() == pytest.approx(alone)


@given(columns, st.integers(0, 11), scores)
def test_bounds_hold_whatever_the_unrated_words_turn_out_to_be(
    column: list[tuple[float, float]], first: int, rho: float
) -> None:
    sigma, p = (np.array(part) for part in zip(*column, strict=True))
    share, rated = renormalize(p), np.arange(len(p)) < first
    low, high = beta_bounds(sigma[rated], share[rated], share[~rated].sum(), -1, 1)
    truth = beta(sigma, share)
    assert low - 1e-9 <= truth <= high + 1e-9
    least, greatest = delta_bounds(rho, low, high)
    assert least - 1e-9 <= delta(rho, truth) <= greatest + 1e-9


@given(columns, scores)
def test_bounds_close_when_everything_is_rated(column: list[tuple[float, float]], rho: float) -> None:
    sigma, p = zip(*column, strict=True)
    share = renormalize(p)
    low, high = beta_bounds(sigma, share, 0.0, -1, 1)
    assert low == high == beta(sigma, share)
    assert delta_bounds(rho, low, high) == (delta(rho, low), delta(rho, high))


def test_delta_bounds_by_plain_search() -> None:
    grid = np.linspace(-0.25, 0.75, 1001)
    for rho in (-1.0, -0.5, 0.0, 0.5, 1.0):
        deltas = delta(rho, grid)
        assert delta_bounds(rho, -0.25, 0.75) == pytest.approx((deltas.min(), deltas.max()), abs=1e-3)
