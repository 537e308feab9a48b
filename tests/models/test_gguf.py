"""GGUF files are models of their own kind: one file, the same numbers as the folder that it was made from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.errors import ModelError
from tacit.models import gguf
from tacit.models.gguf import LOADER
from tacit.models.hf.loading import load
from tests.models.gguf_file import write_gguf

SENTENCES = ["People in France are bald.", "The pizza was great."]


@pytest.fixture
def path(tiny_folder: Callable[[str], Path], tmp_path: Path) -> Path:
    return write_gguf(tiny_folder("llama"), tmp_path / "tiny.gguf")


def test_only_a_file_with_that_ending_is_accepted(path: Path, tiny_folder: Callable[[str], Path]) -> None:
    assert LOADER.accepts(path)
    assert not LOADER.accepts(tiny_folder("llama"))
    assert not LOADER.accepts(path.with_name("missing.gguf"))


def test_a_gguf_file_gives_the_numbers_of_its_folder(path: Path, tiny_folder: Callable[[str], Path]) -> None:
    folder = load(str(tiny_folder("llama")), begin=True)
    model = LOADER.load(str(path), begin=True)
    assert model.likelihood(SENTENCES) == pytest.approx(folder.likelihood(SENTENCES), abs=1e-4)
    assert model.name == str(path)


def test_the_fingerprint_is_that_of_the_file_and_not_of_its_neighbors(path: Path, tmp_path: Path) -> None:
    first = LOADER.load(str(path)).fingerprint
    (tmp_path / "config.json").write_text("{}")
    assert LOADER.load(str(path)).fingerprint == first
    (tmp_path / "elsewhere").mkdir()
    assert LOADER.load(str(shutil.copy(path, tmp_path / "elsewhere"))).fingerprint == first
    assert LOADER.load(str(path), begin=True).fingerprint != first


def test_a_conversion_leaves_no_progress_bar_in_a_log(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    LOADER.load(str(path))
    assert capfd.readouterr().err == ""


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no GGUF file .*none\.gguf\. Give the path"):
        LOADER.load(str(tmp_path / "none.gguf"))


def test_a_missing_package_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "find_spec", lambda _name: None)
    with pytest.raises(ModelError, match=r"pip install 'tacit\[gguf\]'"):
        LOADER.load(str(path))
