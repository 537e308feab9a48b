"""Skeletons of every method: they run as they are, and never overwrite anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.errors import MaterialsError, ModelError
from tacit.methods import method_names
from tacit.methods.skeletons import new_probe
from tacit.models import Model
from tacit.probes import probe_names
from tacit.runs import run
from tacit.runs.plan import count_questions, prepare

SHIPPED = ("association", "contrast", "counterknowledge", "hierarchy", "prefix", "shift", "valence")


def test_every_method_has_one() -> None:
    assert set(SHIPPED) <= set(method_names())


@pytest.mark.parametrize("method", SHIPPED)
def test_it_is_a_probe_that_asks_something(method: str, tmp_path: Path) -> None:
    files = new_probe(method, tmp_path / "mine")
    assert files[0] == tmp_path / "mine" / "probe.yaml"
    prepared = prepare(tmp_path / "mine", {}, None)
    assert prepared.probe.name == "mine"
    assert (count_questions(prepared, "classifier" if method == "prefix" else "masked") or 0) > 0
    assert "#" in files[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("method", SHIPPED)
def test_a_kind_of_model_that_it_does_not_ask_is_refused_in_terms_of_any_probe(method: str, tmp_path: Path) -> None:
    new_probe(method, tmp_path / "mine")
    needed = "needs a text classifier" if method == "prefix" else "Use a masked, causal or seq2seq model"
    with pytest.raises(ModelError, match=needed) as refused:
        count_questions(prepare(tmp_path / "mine", {}, None), "masked" if method == "prefix" else "classifier")
    assert not [name for name in probe_names() if name in str(refused.value)]


@pytest.mark.parametrize("method", ["valence", "contrast"])
def test_it_runs_as_it_is(method: str, tmp_path: Path, tiny: Callable[[str], Model]) -> None:
    new_probe(method, tmp_path / "mine")
    assert run(tmp_path / "mine", tiny("bert"), tmp_path / "run", cache=None).headline


@pytest.mark.parametrize("standard", ["modern", "early-modern"])
def test_a_first_run_of_valence_gives_a_result_on_the_standards(standard: str, tmp_path: Path) -> None:
    new_probe("valence", tmp_path / "mine")
    assert run(tmp_path / "mine", standard, tmp_path / "run", cache=None).validity.can_be_interpreted


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    new_probe("valence", tmp_path / "mine")
    (tmp_path / "mine" / "sentences.csv").write_text("my work", encoding="utf-8")
    with pytest.raises(MaterialsError, match="already there"):
        new_probe("contrast", tmp_path / "mine")
    assert (tmp_path / "mine" / "sentences.csv").read_text(encoding="utf-8") == "my work"
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(MaterialsError, match="already there"):
        new_probe("valence", tmp_path / "file")
