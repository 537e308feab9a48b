"""Runs that several tests read, made once a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.models import Model
from tacit.runs import Run, run
from tests.runs.making import make_probe


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The YAML of a small probe."""
    return make_probe(tmp_path_factory.mktemp("probe"))


@pytest.fixture(scope="session")
def two_runs(probe: Path, tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """The same probe on two models. Read them, do not change them."""
    folder = tmp_path_factory.mktemp("two")
    return (
        run(probe, tiny("bert"), folder / "bert", cache=None),
        run(probe, tiny("distilbert"), folder / "distilbert", cache=None),
    )
