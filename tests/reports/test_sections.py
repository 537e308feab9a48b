"""Runs that belong together share a section, and no figure takes the place of another."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.models import Model
from tacit.reports import report
from tacit.reports.sections import sections
from tacit.runs import Run, run
from tests.methods.sentiment.fixtures import write_probe
from tests.methods.sentiment.test_runs import REVIEWS, WORDS
from tests.reports.making import interpretable

SHIFT = {"resamples": 100, "repeats": "1,2", "calls": "balanced"}


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """The association test with two settings, and the shift test, on one model. Read them, do not change them."""
    folder = tmp_path_factory.mktemp("sections")
    probes = {}
    for method in ("association", "shift"):
        (folder / method).mkdir()
        probes[method] = write_probe(folder / method, method, words=WORDS, reviews=REVIEWS).source
    plans = {
        "few": ("association", {"resamples": 100}),
        "many": ("association", {"resamples": 200}),
        "shift": ("shift", SHIFT),
    }
    return {
        name: interpretable(run(probes[method], tiny("bert"), folder / "runs" / name, dict(settings), cache=None))
        for name, (method, settings) in plans.items()
    }


def test_shift_is_drawn_beside_each_of_two_association_groups(runs: dict[str, Run]) -> None:
    shift = sections([runs["few"], runs["many"], runs["shift"]])[2]
    beside = [figure for figure in shift.figures if figure.name.startswith("tests-")]
    model = runs["shift"].model
    assert [figure.title for figure in beside] == [
        f"Do the two tests agree? {model} (beside small with resamples=100)",
        f"Do the two tests agree? {model} (beside small with resamples=200)",
    ]
    names = [figure.name for figure in shift.figures]
    assert len(names) == len(set(names))


def test_beside_a_single_group_the_title_stays_short(runs: dict[str, Run]) -> None:
    shift = sections([runs["few"], runs["shift"]])[1]
    (figure,) = [figure for figure in shift.figures if figure.name.startswith("tests-")]
    assert figure.title == f"Do the two tests agree? {runs['shift'].model}"


def test_figures_of_two_sections_of_one_probe_are_all_written(runs: dict[str, Run], tmp_path: Path) -> None:
    association = [runs["few"], runs["many"]]
    report(association, tmp_path / "report.html", figures=tmp_path / "figures")
    expected = sum(len(section.figures) for section in sections(association))
    assert len(list((tmp_path / "figures").glob("*.svg"))) == expected > 0


def test_the_same_inputs_share_a_section(runs: dict[str, Run], tmp_path: Path) -> None:
    copied = Run(Path(shutil.copytree(runs["few"].folder, tmp_path / "copy")), runs["few"].record)
    together = sections([runs["few"], copied, runs["many"]])
    assert [len(section.runs) for section in together] == [2, 1]
    assert together[0].comparison is not None
