"""Every test of this folder has a small probe and a rating bank of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.methods.valence.small_probe import write_probe


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a probe that tests may rewrite."""
    write_probe(tmp_path)
    return tmp_path
