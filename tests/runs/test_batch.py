"""Several runs: what is there already takes no model, and a refused pair leaves nothing behind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.models import Model, known_fingerprint, load
from tacit.runs import run
from tacit.runs.batch import plan_runs, run_batch
from tacit.runs.plan import prepare
from tacit.standards import standard_path
from tests.runs.making import make_probe


def _must_not_load(name: str) -> Model:
    raise AssertionError(f"{name} was loaded")


def test_a_fingerprint_can_be_told_without_loading() -> None:
    assert known_fingerprint("modern") == load("modern").fingerprint
    assert known_fingerprint("modern", dtype="bfloat16") == load("modern", dtype="bfloat16").fingerprint


def test_only_loading_tells_the_fingerprint_of_other_models(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}', encoding="utf-8")
    assert known_fingerprint(str(tmp_path)) is None
    assert known_fingerprint("vllm+http://127.0.0.1:1#m") is None
    assert known_fingerprint("no-such-model") is None


def test_a_run_that_is_there_takes_no_model(tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe")
    planned = plan_runs([prepare(probe, {}, None)], ["modern"], tmp_path / "run")
    first = run_batch(planned, load)
    assert len(first.done) == 1
    again = run_batch(planned, _must_not_load, identify=known_fingerprint)
    assert [found.folder for found in again.present] == [tmp_path / "run"]
    assert again.done == []


def test_a_changed_model_is_noticed(tmp_path: Path) -> None:
    probe, folder = make_probe(tmp_path / "probe"), tmp_path / "model"
    shutil.copytree(standard_path("modern"), folder)
    planned = plan_runs([prepare(probe, {}, None)], [str(folder)], tmp_path / "run")
    run_batch(planned, load)
    with (folder / "config.json").open("a", encoding="utf-8") as file:
        file.write("\n")
    batch = run_batch(planned, load, identify=known_fingerprint)
    assert batch.present == []
    assert "other weights" in str(batch.problems[0][1])


def test_a_kind_of_model_that_cannot_be_asked_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="needs a text classifier"):
        run("regional-downstream", "modern", tmp_path / "run")
    assert not (tmp_path / "run").exists()
