"""Models made once a session, and a cache that is the test's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, sync_playwright

import tacit
from tacit.models import Model
from tests.tiny import build

torch.set_num_threads(1)
# Our small models were never trained, so a user would have to insist on asking them. Fixtures of a whole module need
# this too, so it cannot be a fixture of a test.
os.environ["TACIT_FORCE"] = "1"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a test asks may be answered from, or end up in, the user's cache."""
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a small random model of a kind."""
    made: dict[str, Path] = {}

    def folder(kind: str) -> Path:
        if kind not in made:
            made[kind] = build(kind, tmp_path_factory.mktemp(kind))
        return made[kind]

    return folder


@pytest.fixture(scope="session")
def tiny(tiny_folder: Callable[[str], Path]) -> Callable[[str], Model]:
    """A small random model of a kind, loaded."""
    loaded: dict[str, Model] = {}

    def model(kind: str) -> Model:
        if kind not in loaded:
            loaded[kind] = tacit.load(tiny_folder(kind))
        return loaded[kind]

    return model


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = os.environ.get("TACIT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need Chromium: make browser"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()
