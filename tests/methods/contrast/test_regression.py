"""The item-level regression against a plain recomputation, and bigram counts with what can be wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tacit.errors import MaterialsError
from tacit.methods.contrast import Contrast, ContrastSettings
from tacit.methods.contrast.bigrams import per_billion
from tacit.methods.contrast.formulas import cluster_variances, least_squares
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.simulation import SimulatedModel
from tacit.probes import load_probe
from tests.methods.contrast.contrasts import value, write_probe

METHOD = Contrast()
SETTINGS = ContrastSettings(resamples=50, bigrams="intensifier:bigrams.csv")  # type: ignore[arg-type]
BIGRAMS = "adverb,adjective,count,against_count,words\nnever,late,3,5,1000\n"


def materials_of(path: Path, bigrams: str) -> ContrastMaterials:
    (path / "bigrams.csv").write_text(bigrams)
    return METHOD.materials(load_probe(write_probe(path)), ContrastSettings(bigrams=path / "bigrams.csv"))


def test_counts_become_zipf_values_and_missing_pairs_stay_unknown(tmp_path: Path) -> None:
    items = {item.id: item for item in materials_of(tmp_path, BIGRAMS).items}
    assert items["never-1"].bigram == pytest.approx(np.log10(3.5 / 1000 * 1e9))
    assert items["never-1"].rival_bigram == pytest.approx(np.log10(5.5e6))
    assert items["never-2"].bigram is None
    assert per_billion(0, 1e9) == pytest.approx(np.log10(0.5))
    assert per_billion(10, 1e6) > per_billion(9, 1e6)


@pytest.mark.parametrize(
    ("bigrams", "problem"),
    [
        (BIGRAMS.replace(",3,", ",-3,"), "line 2: count must be a whole number from 0, not '-3'"),
        (BIGRAMS.replace(",1000", ",0"), "words must be a whole number from 1, not '0'"),
        (BIGRAMS + "never,late,1,1,1000\n", "never"),
        ("adverb,count\nnever,1\n", "adjective"),
    ],
)
def test_wrong_counts_are_refused_with_their_line(tmp_path: Path, bigrams: str, problem: str) -> None:
    with pytest.raises(MaterialsError, match=problem):
        materials_of(tmp_path, bigrams)


def test_the_shipped_counts_cover_every_item() -> None:
    items = METHOD.materials(load_probe("intensifier"), SETTINGS).items
    assert all(item.bigram is not None and item.rival_bigram is not None for item in items)
    assert len({item.bigram for item in items}) > 40


def test_coefficients_are_those_of_a_plain_regression() -> None:
    materials = METHOD.materials(load_probe("intensifier"), SETTINGS)
    tables = METHOD.measure(materials, SETTINGS, SimulatedModel(context=1.0).answers(materials, 0))
    items = tables["items"]
    bigram = {item.id: (item.bigram, item.rival_bigram) for item in materials.items}
    rows = [
        [
            1,
            *bigram[row["item"]],
            row["context"] == "with",
            row["category"] == "temporal",
            row["category"] == "epistemic",
        ]
        for row in items.iter_rows(named=True)
    ]
    matrix = np.array(rows, dtype=np.float64)
    outcome = (items["rank"].log() - items["against_rank"].log()).to_numpy()
    plain = np.linalg.inv(matrix.T @ matrix) @ matrix.T @ outcome
    context = value(tables, "log diff ~ context")
    assert context["value"] == pytest.approx(plain[3])
    assert value(tables, "log diff ~ epistemic instead of neutral")["value"] == pytest.approx(plain[5])
    words = items["word"].to_numpy()
    without = [least_squares(outcome[words != word], matrix[words != word])[3] for word in dict.fromkeys(words)]
    pseudo = 24 * plain[3] - 23 * np.array(without)
    error = pseudo.std(ddof=1) / np.sqrt(24)
    assert (context["high"] - context["low"]) / 2 == pytest.approx(
        stats.t.ppf(0.975, 23) * error, rel=0.1
    )  # fewer degrees of freedom
    assert (context["n"], context["unit"], context["verdict"]) == (24, "adverb", None)


def test_least_squares_finds_planted_coefficients_exactly() -> None:
    matrix = np.column_stack([np.ones(20), np.random.default_rng(1).normal(size=(20, 2))])
    assert least_squares(matrix @ np.array([1.0, -2.0, 3.0]), matrix) == pytest.approx([1.0, -2.0, 3.0])


def test_cluster_variances_are_those_of_a_plain_sandwich() -> None:
    rng = np.random.default_rng(2)
    matrix, outcome = np.column_stack([np.ones(30), rng.normal(size=30)]), rng.normal(size=30)
    clusters = rng.integers(0, 6, 30)
    bread = np.linalg.inv(matrix.T @ matrix)
    residuals = outcome - matrix @ bread @ matrix.T @ outcome
    meat = np.zeros((2, 2))
    for cluster in range(6):
        score = sum(matrix[i] * residuals[i] for i in range(30) if clusters[i] == cluster)
        meat += np.outer(score, score)
    assert cluster_variances(outcome, matrix, clusters) == pytest.approx(np.diag(bread @ meat @ bread))
    exact = matrix @ np.array([1.0, 2.0])
    assert cluster_variances(exact, matrix, clusters) == pytest.approx([0.0, 0.0], abs=1e-20)


def test_words_that_are_too_few_or_alike_give_no_regression(tmp_path: Path) -> None:
    materials = materials_of(tmp_path, BIGRAMS)
    answers = SimulatedModel().answers(materials, 0)
    tables = METHOD.measure(materials, ContrastSettings(bigrams=tmp_path / "bigrams.csv", resamples=50), answers)
    assert tables["measures"].filter(pl.col("measure").str.contains("log diff")).is_empty()
