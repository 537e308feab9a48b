"""A browser, and a report about two models on a probe whose sentences mean harm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tacit.models import Model
from tacit.reports.page import report
from tacit.runs import Run, run
from tests.reports.browsing import HOSTILE_TITLE, opened
from tests.runs.making import make_hostile_probe


@pytest.fixture(scope="session")
def hostile_runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Two models on a probe whose sentences mean harm, with other settings than its own."""
    folder = tmp_path_factory.mktemp("runs")
    probe = make_hostile_probe(folder / "probe", HOSTILE_TITLE)
    return [run(probe, tiny(kind), folder / kind, {"resamples": 500}, cache=None) for kind in ("bert", "distilbert")]


@pytest.fixture(scope="session")
def written(hostile_runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report about them."""
    folder = tmp_path_factory.mktemp("report")
    return report(hostile_runs, folder / "report.html", figures=folder / "figures")


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The page with all its charts drawn; whatever it complains of fails the test."""
    with opened(browser, written) as page:
        yield page
