"""The first screen: each cell says what the data support, and nothing where a model cannot be asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from tacit.methods import Validity
from tacit.methods.glance import CANNOT_TELL, Glance, default_glance, lean_phrase
from tacit.models import Model
from tacit.reports.overview import overview
from tacit.reports.plots import interval_plot, plot_range, value_text
from tacit.reports.sections import Section, sections
from tacit.runs import Run, run
from tests.runs.making import make_probe


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """One probe on two models. Read them, do not change them."""
    folder = tmp_path_factory.mktemp("overview")
    probe = make_probe(folder / "probe")
    return [run(probe, tiny(kind), folder / kind, cache=None) for kind in ("distilbert", "bert")]


def _with(run: Run, validity: Validity) -> Run:
    return replace(run, record=run.record.model_copy(update={"validity": validity}))


@pytest.fixture(scope="module")
def section(runs: list[Run]) -> Section:
    """The section of the report about them."""
    return sections(runs)[0]


def test_probes_go_down_and_models_across_in_one_order(section: Section) -> None:
    whole = overview([section])
    assert list(whole.models) == sorted(whole.models)
    assert [row.probe for row in whole.rows] == ["old-or-new"]
    assert list(whole.rows[0].answers) == list(whole.models)


def test_a_cell_shows_the_headline_value_of_its_run(runs: list[Run], section: Section) -> None:
    for answer in overview([section]).rows[0].answers.values():
        own = next(run for run in runs if run.model == answer.model)
        row = own.measures.filter((own.measures["measure"] == "beta") & own.measures["item"].is_null())
        assert answer.glance is not None
        assert answer.glance.row == row.row(0, named=True)
        assert answer.light.level == {"interpretable": "on", "weak": "care"}[own.validity.level]


def test_a_model_that_cannot_be_asked_gets_the_reason_and_no_verdict(runs: list[Run]) -> None:
    failed = _with(runs[0], Validity("none", "it labels reviews like a coin (52 % [47 %, 57 %]); and more"))
    answer = overview(sections([failed, runs[1]])).rows[0].answers[failed.model]
    assert (answer.phrase, answer.glance, answer.plot, answer.value) == ("Cannot be asked", None, None, "")
    assert answer.light.level == "off"
    assert answer.light.short_reason == "it labels reviews like a coin"


def test_a_weak_run_keeps_its_value_with_a_warning(runs: list[Run]) -> None:
    weak = _with(runs[0], Validity("weak", "only 12 sentences"))
    answer = overview(sections([weak])).rows[0].answers[weak.model]
    assert answer.light.level == "care"
    assert answer.glance is not None


def test_findings_are_the_differences_that_survive_correction(runs: list[Run], section: Section) -> None:
    whole = overview([section])
    assert section.comparison is not None
    assert [f"{one.claim}: {one.numbers}." for one in whole.findings] == list(section.comparison.findings)
    assert whole.compared
    assert not overview(sections(runs[:1])).compared


def _glance(value: float, low: float, high: float, neutral: float | None, **more: object) -> Glance:
    row = {"measure": "m", "value": value, "low": low, "high": high, "neutral": neutral, "verdict": None}
    return Glance("Cannot tell", row, "label", **more)  # type: ignore[arg-type]


def test_the_plot_places_value_interval_and_neutral_point_on_one_axis() -> None:
    glance = _glance(0.25, 0.0, 0.5, 0.5, ends=(-1.0, 1.0))
    svg = interval_plot(glance, plot_range([glance]), "#123456")
    assert 'cx="62.50%"' in svg
    assert re.search(r'class="interval" x1="50.00%" x2="75.00%"', svg)
    assert re.search(r'class="neutral" x1="75.00%"', svg)
    assert "neutral point 0.500" in svg


def test_values_without_a_scale_share_an_axis_that_shows_all_of_them() -> None:
    least, greatest = plot_range([_glance(0.1, 0.0, 0.2, 0.0), _glance(0.5, 0.4, 0.9, 0.0)])
    assert least < 0
    assert greatest > 0.9
    assert plot_range([_glance(0.0, 0.0, 0.0, None)]) == (-1, 1)


def test_hostile_text_in_a_plot_is_escaped() -> None:
    glance = replace(_glance(0.1, 0.0, 0.2, 0.0), label='"><script>')
    assert "<script>" not in interval_plot(glance, (0, 1), "#123456")


def test_a_share_is_written_as_a_percentage() -> None:
    assert value_text(_glance(0.31, 0.24, 0.38, 0.5, percent=True)) == "31.0% [24.0%, 38.0%]"


@pytest.mark.parametrize(
    ("verdict", "value", "phrase"),
    [
        (None, -0.5, CANNOT_TELL),
        ("undecided", -0.5, CANNOT_TELL),
        ("leans", -0.5, "low"),
        ("leans", 0.5, "high"),
    ],
)
def test_a_leaning_is_said_only_with_a_verdict(verdict: str | None, value: float, phrase: str) -> None:
    assert lean_phrase({"value": value, "neutral": 0.0, "verdict": verdict}, "low", "high") == phrase


def test_a_method_of_its_own_needs_no_glance(runs: list[Run]) -> None:
    rows = runs[0].measures.filter(runs[0].measures["item"].is_null())
    glance = default_glance(rows)
    assert glance is not None
    assert glance.row["measure"] == "beta"
    assert default_glance(rows.clear()) is None
