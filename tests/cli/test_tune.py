"""`tacit tune` from the shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.cli.tune import app
from tacit.errors import TacitError


def write_texts(folder: Path, each: int, kind: str, poor: str) -> Path:
    """A CSV file with so many texts of each label."""
    path = folder / "texts.csv"
    rows = [
        f"the man number {i} was {word},{label}"
        for i in range(each)
        for word, label in (("kind", kind), ("poor", poor))
    ]
    path.write_text("text,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_reviews(folder: Path) -> Path:
    return write_texts(folder, 4, "1", "0")


def test_it_writes_a_model_and_names_the_next_command(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    given = ["prompt", "--model", str(tiny_folder("bert")), "--reviews", str(write_reviews(tmp_path))]
    found = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "tuned"), "--shots", "2", "--epochs", "2"])
    assert found.exit_code == 0, found.output
    assert (tmp_path / "tuned" / "model.safetensors").is_file()
    assert "accuracy on held-out reviews" in found.output
    assert f"--model {tmp_path / 'tuned'}" in found.output


def test_one_label_word_is_refused(tmp_path: Path) -> None:
    given = ["prompt", "--model", "modern", "--reviews", str(write_reviews(tmp_path)), "--out", str(tmp_path / "t")]
    found = CliRunner().invoke(app, [*given, "--label-words", "great"])
    assert isinstance(found.exception, TacitError)
    with pytest.raises(TacitError, match="two different words"):
        raise found.exception


def test_a_classifier_names_its_labels_and_the_next_command(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    given = ["classifier", "--model", str(tiny_folder("bert")), "--texts", str(write_texts(tmp_path, 9, "a", "b"))]
    out = tmp_path / "made"
    found = CliRunner().invoke(app, [*given, "--out", str(out), "--rate", "0.003", "--epochs", "8"])
    assert found.exit_code == 0, found.output
    assert "labels a, b; 14 texts learned" in found.output
    assert f"tacit run regional-downstream --model {out} --set texts={out / 'held-out.csv'}" in found.output


def test_a_classifier_that_learned_nothing_is_a_problem(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    given = ["classifier", "--model", str(tiny_folder("bert")), "--texts", str(write_texts(tmp_path, 9, "a", "b"))]
    found = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "made"), "--rate", "0", "--epochs", "1"])
    assert found.exit_code == 1
    assert "nothing was learned" in found.output
    assert "Next:" not in found.output


def test_a_plant_writes_checkpoints_and_names_the_next_command(
    tiny_folder: Callable[[str], Path], tmp_path: Path
) -> None:
    given = ["plant", "stereotype", "--model", str(tiny_folder("bert")), "--out", str(tmp_path / "p"), "--dose", "0.5"]
    found = CliRunner().invoke(app, [*given, "--epochs", "2", "--slots", "8"])
    assert found.exit_code == 0, found.output
    assert (tmp_path / "p" / "epoch-2" / "model.safetensors").is_file()
    assert "biased text at dose 0.5, 16 sentences, 2 epochs" in found.output
    assert f"tacit run stereotype --model {tiny_folder('bert')} --model {tmp_path / 'p' / 'epoch-2'}" in found.output


def test_a_dose_above_one_is_refused(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["plant", "stereotype", "--model", "modern", "--out", str(tmp_path), "--dose", "2"])
    with pytest.raises(TacitError, match="`dose` must be a number from 0 to 1"):
        raise found.exception or AssertionError


def test_a_tuning_that_learned_nothing_says_so_and_proposes_no_comparison(
    tiny_folder: Callable[[str], Path], tmp_path: Path
) -> None:
    given = ["prompt", "--model", str(tiny_folder("bert")), "--reviews", str(write_reviews(tmp_path))]
    options = ["--out", str(tmp_path / "tuned"), "--shots", "2", "--epochs", "2", "--rate", "0"]
    found = CliRunner().invoke(app, [*given, *options])
    assert found.exit_code == 0, found.output
    assert "none of 2 epochs was better" in found.output
    assert "Nothing was learned" in found.output
    assert "tacit run" not in found.output


def test_several_seeds_are_named_in_the_next_commands(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    given = ["prompt", "--model", str(tiny_folder("bert")), "--reviews", str(write_reviews(tmp_path))]
    options = ["--out", str(tmp_path / "tuned"), "--shots", "2", "--epochs", "8", "--rate", "3e-3", "--seeds", "2"]
    found = CliRunner().invoke(app, [*given, *options, "--demonstrations"])
    assert found.exit_code == 0, found.output
    assert (tmp_path / "tuned" / "seed-1" / "model.safetensors").is_file()
    assert "seed 1, epoch   0: before training" in found.output
    assert "--before runs/sentiment-association/" in found.output
