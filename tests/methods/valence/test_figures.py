"""The figures of valence: one panel per group, all models in each, and a readable point for every sentence."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.methods.base import Tables
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.figures import figures
from tacit.probes import load_probe


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Tables]:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    method, settings = Valence(), ValenceSettings(mode="as-published", resamples=100)
    materials = method.materials(load_probe("temporal-paper"), settings)
    given = method.given_answers(materials, settings)
    assert given is not None
    return {model: method.measure(materials, settings, answers) for model, answers in given.items()}


def test_there_is_a_figure_of_beta_and_one_of_delta(runs: dict[str, Tables]) -> None:
    assert [figure.name for figure in figures(runs)] == ["valence-beta", "valence-delta"]


def test_each_group_has_a_panel_with_every_sentence_of_every_model(runs: dict[str, Tables]) -> None:
    for figure in figures(runs):
        spec = figure.chart.to_dict()
        assert [panel["title"] for panel in spec["hconcat"]] == ["Early Modern", "Neutral", "Modern"]
        points = [row for rows in spec["datasets"].values() for row in rows if "text" in row]
        assert {(row["model"], row["sentence"]) for row in points} == {
            (model, sentence) for model in runs for sentence in ("s1", "s2", "s3")
        }


def test_a_point_shows_its_sentence_and_fillings(runs: dict[str, Tables]) -> None:
    layers = figures(runs)[0].chart.to_dict()["hconcat"][0]["layer"]
    shown = [
        tip["field"]
        for layer in layers
        for tip in layer["encoding"].get("tooltip", [])
        if "fillOpacity" in layer["encoding"]
    ]
    assert {"text", "fillings", "beta", "delta", "rated", "rho"} <= set(shown)


def test_the_words_name_the_poles_and_every_model(runs: dict[str, Tables]) -> None:
    bias, fit = figures(runs)
    assert "Early Modern English" in bias.caption
    assert all(model in figure.alt for model in runs for figure in (bias, fit))
    assert "MacBERTh -0.99" in bias.alt


def test_the_charts_can_be_drawn(runs: dict[str, Tables], tmp_path: Path) -> None:
    for figure in figures(runs):
        figure.chart.save(str(tmp_path / f"{figure.name}.svg"))
        assert (tmp_path / f"{figure.name}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_run_without_ratings_can_still_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    probe = load_probe("temporal")
    materials = {name: given for name, given in probe.materials.items() if name != "ratings"}
    method, settings = Valence(), ValenceSettings(resamples=100)
    unrated = method.materials(probe.model_copy(update={"materials": materials}), settings)
    filled = {"token": "thou", "probability": 0.5, "rank": 1}
    answers = pl.DataFrame([{"sentence": sentence, **filled} for sentence in unrated.texts])
    bias, _ = figures({"silent": method.measure(unrated, settings, answers)})
    bias.chart.save(str(tmp_path / "beta.svg"))
    assert "Early Modern: nothing is rated" in bias.alt
