"""Removing a run takes all that it wrote, and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tacit.errors import RunError
from tacit.models import Model
from tacit.runs import run
from tacit.runs.remove import remove_run
from tests.runs.making import make_probe


@pytest.fixture
def folder(tiny: Callable[[str], Model], tmp_path: Path) -> Path:
    return run(make_probe(tmp_path / "probe"), tiny("bert"), tmp_path / "run", cache=None).folder


def test_nothing_is_left(folder: Path) -> None:
    remove_run(folder)
    assert not folder.exists()
    assert folder.parent.is_dir()


def test_a_file_of_the_user_stops_it(folder: Path) -> None:
    before = sorted(path.name for path in folder.rglob("*"))
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match=r"notes\.txt was not written by the run"):
        remove_run(folder)
    (folder / "notes.txt").unlink()
    assert sorted(path.name for path in folder.rglob("*")) == before


def test_a_folder_among_the_materials_stops_it(folder: Path) -> None:
    (folder / "materials" / "mine").mkdir()
    with pytest.raises(RunError, match="was not written by the run"):
        remove_run(folder)


def test_a_run_that_is_being_written_is_left_alone(folder: Path) -> None:
    with closing(sqlite3.connect(folder / ".lock", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RunError, match="Another process"):
            remove_run(folder)
    assert (folder / "answers.parquet").is_file()


def test_an_interrupted_removal_can_be_repeated(folder: Path) -> None:
    (folder / "answers.parquet").unlink()
    remove_run(folder)
    assert not folder.exists()


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    with pytest.raises(RunError):
        remove_run(tmp_path / "precious")
    assert (tmp_path / "precious").is_dir()
