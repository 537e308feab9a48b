"""The packages of the standards are pinned, and kept where the user says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.data.packages import install_command
from training import corpora
from training.sources import SOURCES


def test_the_cache_can_be_put_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "here"))
    assert corpora.cache_folder() == tmp_path / "here"


def test_every_source_names_its_licence_and_is_pinned() -> None:
    for each in SOURCES:
        assert each.licence
        assert len(each.sha256) == 64
        assert any(each.version in part for part in install_command(each))
