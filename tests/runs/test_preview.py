"""A preview counts what a run would ask, and leaves nothing but answers in the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tacit.asking import Cache
from tacit.models import Model
from tacit.runs.batch import PlannedRun
from tacit.runs.execute import run_prepared
from tacit.runs.plan import prepare
from tacit.runs.preview import preview
from tests.runs.making import make_probe


def test_it_counts_the_questions_and_those_that_are_answered(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    prepared = prepare(make_probe(tmp_path / "probe", sentences=40), {}, None)
    planned = PlannedRun(prepared, "bert", tmp_path / "run")
    with Cache(tmp_path / "answers.sqlite") as cache:
        first = preview(planned, tiny, cache)
        assert (first.questions, first.cached, first.complete) == (40, 0, False)
        assert first.seconds is not None
        assert first.seconds > 0
        assert not planned.folder.exists()
        run = run_prepared(prepared, tiny("bert"), tmp_path / "elsewhere", cache=cache)
        assert run.record.asked == first.questions
        again = preview(planned, tiny, cache)
        assert (again.questions, again.cached, again.seconds) == (40, 40, None)


def test_a_run_that_is_there_needs_no_model(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    prepared = prepare(make_probe(tmp_path / "probe"), {}, None)
    run_prepared(prepared, tiny("bert"), tmp_path / "run", cache=None)

    def must_not_load(name: str) -> Model:
        raise AssertionError(f"{name} was loaded")

    with Cache(tmp_path / "answers.sqlite") as cache:
        assert preview(PlannedRun(prepared, "bert", tmp_path / "run"), must_not_load, cache).complete
