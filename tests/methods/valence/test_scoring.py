"""What other raters would have said: as many versions of the scores as there are draws of raters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit.methods.valence.scoring import score_versions
from tests.methods.valence.small_probe import RATINGS, group_row, measure

NAN = np.nan


def cube(*raters: list[float]) -> np.ndarray:
    """Scores of one sentence: a row per rater."""
    return np.array(raters)[:, None, :]


def test_one_rater_has_one_version() -> None:
    sigma = np.array([[-1.0, 0.5]])
    assert score_versions(cube([-1, 0.5]), sigma, "mean", 0).tolist() == [sigma.tolist()]


def test_two_raters_have_the_scores_of_each() -> None:
    scores = cube([-1, 0.5], [0, 0.5])
    versions = score_versions(scores, scores.mean(axis=0), "mean", 0)
    assert sorted(versions[:, 0].tolist()) == [[-1, 0.5], [0, 0.5]]


def test_a_score_by_one_rater_stays_whoever_is_drawn() -> None:
    scores = cube([-1, 0.5, NAN], [0, NAN, 1])
    versions = score_versions(scores, np.nanmean(scores, axis=0), "mean", 0)
    assert sorted(versions[:, 0].tolist()) == [[-1, 0.5, 1], [0, 0.5, 1]]


def test_a_draw_without_a_score_falls_back_to_the_combined_one() -> None:
    """Of three raters two are drawn; the third has not scored the first filling."""
    scores = cube([-1, 1], [0, 1], [NAN, 0])
    versions = score_versions(scores, np.nanmean(scores, axis=0), "mean", 0)
    assert len(versions) == 9
    third_alone = versions[:, 0, 1] == 0
    assert versions[third_alone, 0, 0].tolist() == [-0.5]


def test_versions_have_the_variance_of_a_mean_over_the_raters() -> None:
    """Var = s² / R, as the textbook has it for a mean of R; a draw of R instead of R - 1 would be too small."""
    for raters in (2, 3, 4, 9):
        scores = np.random.default_rng(raters).normal(size=(raters, 1, 1))
        versions = score_versions(scores, scores.mean(axis=0), "mean", 0)
        expected = scores.var(ddof=1) / raters
        assert versions.var() == pytest.approx(expected, rel=1e-9 if raters < 5 else 0.25)


def test_the_median_is_drawn_as_a_median() -> None:
    scores = cube([-1], [0], [0], [1])
    versions = score_versions(scores, np.median(scores, axis=0), "median", 0)
    assert set(versions.ravel()) <= {-1, -0.5, 0, 0.5, 1}
    assert 0 < (versions == 0).mean() < 1


def test_raters_who_disagree_widen_the_interval_and_keep_the_value_of_their_mean(folder: Path) -> None:
    old = "s1,thou,{0},bob\ns1,you,{1},bob\ns2,thee,{0},bob\ns2,you,{1},bob\n"
    (folder / "ratings.csv").write_text(RATINGS + old.format("-1", "0").replace("s2,you,0", "s2,you,-0.5"))
    agree = group_row(measure(folder), "beta", "Old")
    (folder / "ratings.csv").write_text(RATINGS + old.format("0", "0"))
    differ = group_row(measure(folder), "beta", "Old")
    assert (agree["low"], agree["high"]) == pytest.approx((-0.75, -0.75))
    assert differ["value"] == pytest.approx((-0.75 + 0) / 2, abs=0.1)
    assert differ["low"] == pytest.approx(-0.75)
    assert differ["high"] == pytest.approx(0)
