"""The certificate on the page: a light in words that opens into the checks, and only where it fits the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import tacit
from tacit.methods import Validity
from tacit.models import Model
from tacit.reports import report
from tacit.reports.certificates import certificate_shown
from tacit.reports.sections import sections
from tacit.runs import Run, card, run
from tests.reports.browsing import axe_complaints, opened
from tests.runs.making import make_probe


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of a probe that has a certificate. Read it, do not change it."""
    return run(
        "temporal", tacit.load("modern"), tmp_path_factory.mktemp("runs") / "run", {"resamples": 200}, cache=None
    )


def test_the_light_is_in_words_and_the_worst_checks_come_first(certified: Run) -> None:
    shown = certificate_shown(certified.record)
    assert shown is not None
    assert shown.light.words.startswith("Certificate: doubtful (yellow)")
    assert shown.rows[0].outcome == "doubtful"
    assert shown.rows[-1].outcome == "not applicable"
    assert "cannot see" in shown.cannot_see


def test_a_certificate_of_other_materials_does_not_vouch(certified: Run) -> None:
    materials = {**certified.record.materials, "sentences.csv": "0" * 64}
    assert certificate_shown(certified.record.model_copy(update={"materials": materials})) is None


def test_a_probe_of_ones_own_has_no_certificate(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    own = run(make_probe(tmp_path / "probe"), tiny("bert"), tmp_path / "run", cache=None)
    own = replace(own, record=own.record.model_copy(update={"validity": Validity()}))
    assert sections([own])[0].certificate is None


def test_the_card_says_how_far_the_probe_can_be_relied_on(certified: Run) -> None:
    assert "**Certificate of the probe:** doubtful (yellow)" in card([certified])


def test_the_light_opens_into_the_checks(browser: Browser, certified: Run, tmp_path: Path) -> None:
    written = report([certified], tmp_path / "report.html")
    with opened(browser, written) as page:
        fold = page.locator("details.certificate")
        assert "doubtful" in fold.locator("summary").inner_text()
        assert not fold.locator("table").is_visible()
        fold.locator("summary").click()
        assert fold.locator("tbody tr").count() > 10
        assert "placebo" in fold.inner_text()
        assert axe_complaints(page) == []
