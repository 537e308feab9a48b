"""Runs, comparisons and answers show themselves in a notebook, and nothing in them is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import altair as alt
import polars as pl
import pytest

from tacit.methods import Validity
from tacit.methods.agreement import Agreement
from tacit.models import Model
from tacit.notebook import html_table
from tacit.questions import Choose, Fill, Likelihood, Represent
from tacit.runs import Run, compare, run
from tests.runs.making import make_hostile_probe

HOSTILE = "<script>window.hit=1</script>"


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """A probe that means harm, on two models."""
    folder = tmp_path_factory.mktemp("notebook")
    probe = make_hostile_probe(folder / "probe", HOSTILE)
    return [run(probe, tiny(kind), folder / kind, cache=None) for kind in ("bert", "distilbert")]


def test_a_run_shows_its_headline_and_key_rows(runs: list[Run]) -> None:
    html = runs[0]._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;window.hit=1" in html
    assert "<td" in html
    assert "beta" in html


def test_a_run_that_cannot_be_interpreted_shows_only_why(runs: list[Run]) -> None:
    why = {"validity": Validity("none", "it is random"), "headline": "cannot be asked", "sentences": ()}
    failed = Run(runs[0].folder, runs[0].record.model_copy(update=why))
    assert "<td" not in failed._repr_html_()
    assert "cannot be asked" in failed._repr_html_()
    assert failed.figures() == []


def test_a_run_gives_its_figures_as_charts(runs: list[Run], tmp_path: Path) -> None:
    charts = runs[0].figures()
    assert len(charts) == 2
    assert all(isinstance(chart, alt.TopLevelMixin) for chart in charts)
    assert charts[0].to_dict()["title"] == "What the words score, sentence by sentence (beta)"
    charts[0].save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_comparison_shows_its_table(runs: list[Run]) -> None:
    html = compare(runs)._repr_html_()
    assert html.count("<tr>") == 1 + compare(runs).table.height
    assert runs[0].model in html


def test_runs_and_comparisons_fit_on_one_line(runs: list[Run]) -> None:
    first = runs[0]
    assert repr(first) == f"<Run of {first.probe} on {first.model}: 12 questions>"
    failed = Run(first.folder, first.record.model_copy(update={"validity": Validity("none", "it is random")}))
    assert repr(failed).endswith("cannot be interpreted>")
    compared = compare(runs)
    names = f"{first.model}, {runs[1].model}"
    assert repr(compared) == f"<Comparison of {names} on {first.probe}: {compared.table.height} rows>"


def test_agreement_shows_its_table_in_a_comparison(runs: list[Run]) -> None:
    table = pl.DataFrame({"side": [HOSTILE], "words": [3]})
    found = Agreement("models", "Words that models share", table, (), note="beside chance")
    html = replace(compare(runs), agreement=(found,))._repr_html_()
    assert "Words that models share" in html
    assert "<script" not in html
    assert repr(found) == "<Agreement: Words that models share, 1 rows>"


def test_every_kind_of_answer_shows_its_parts(tiny: Callable[[str], Model]) -> None:
    questions = [
        Fill("The man was [MASK].", top=3),
        Choose("The man was [MASK].", ("great", "bad")),
        Likelihood("The man was great.", "pll"),
        Represent("The man", 4, 7),
    ]
    shown = [answer._repr_html_() for answer in tiny("bert").answer(questions)]
    assert [html.count("<tr>") for html in shown[:2]] == [4, 3]
    assert shown[2].count("<tr>") > 3
    assert "scoring" in shown[3]


def test_cells_are_escaped_and_long_tables_cut() -> None:
    html = html_table(HOSTILE, [HOSTILE], [HOSTILE], [[HOSTILE]] * 60)
    assert "<script" not in html
    assert "10 more rows" in html
