"""Small runs of every probe on the standards, kept in build/docs, and their figures as SVG files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import vl_convert

import tacit
from tacit.errors import TacitError
from tacit.figure import Figure, models_of_report
from tacit.methods import get_method
from tacit.probes import Probe, load_probe
from tacit.reports.charts import specification
from tacit.runs import Run
from tacit.runs.execute import given_models
from tacit.runs.plan import count_questions, prepare
from tacit.standards import standard_names
from tacit.storage import slug
from tacit.validation.planted_figures import planted_figures

__all__ = ["Drawing", "asked_models", "draw_planted", "draw_runs", "figure_file", "run_settings", "small_runs"]

KEPT = Path("build/docs")
"""Where runs stay between two builds; delete it to ask the models again."""
_MOST_QUESTIONS = 10_000
"""A probe that is not on the tour and asks more than this is not run by the build."""


@dataclass(frozen=True)
class Drawing:
    """A figure as a file of the site.

    Attributes:
        figure: The figure with its title, caption and alternative text.
        name: The name of its file under `figures/`.
        svg: The picture.
    """

    figure: Figure
    name: str
    svg: str


def run_settings(probe: Probe) -> dict[str, object]:
    """The settings of a run that takes seconds: those of the tour."""
    return dict(probe.tour or {})


def asked_models(probe: Probe) -> list[str]:
    """The models that `tacit run` asks where none is named: those of the materials, or else the standards."""
    prepared = prepare(probe.name, {}, None)
    return list(given_models(prepared)) or [*standard_names(), *prepared.method.tuned_standards]


@cache
def small_runs(name: str) -> tuple[list[Run], list[str]]:
    """Run a probe on the models that it asks by default, or find the runs of an earlier build.

    Returns:
        The runs, and one sentence for each model that this probe cannot ask.
    """
    probe = load_probe(name)
    runs: list[Run] = []
    problems: list[str] = []
    if _is_large(probe):
        return runs, problems
    for model in asked_models(probe):
        try:
            runs.append(_run(probe, model))
        except TacitError as error:
            problems.append(f"{model}: {error}")
    return runs, problems


def _is_large(probe: Probe) -> bool:
    try:
        count = count_questions(prepare(probe.name, run_settings(probe), None), "masked")
    except TacitError:  # no masked model can be asked, which the runs will say
        return False
    return probe.tour is None and count is not None and count > _MOST_QUESTIONS


def _run(probe: Probe, model: str) -> Run:
    """A folder that holds another run (other weights, materials or settings) makes room for the new one."""
    settings = run_settings(probe)
    number = 0
    while True:
        folder = KEPT / "runs" / f"{probe.name}-{slug(model)}-{number}"
        try:
            return tacit.run(probe.name, model=model, out=folder, settings=settings)
        except TacitError:
            if not (folder / "run.json").exists():
                raise
            number += 1


@cache
def draw_runs(name: str) -> list[Drawing]:
    """The figures of a probe's small runs, the most important one first."""
    runs, _ = small_runs(name)
    asked = {run.model: run for run in runs if run.validity.can_be_interpreted} or {run.model: run for run in runs}
    if not asked:
        return []
    with models_of_report(list(asked)):
        method = get_method(load_probe(name).method)
        return list(_drawings(name, method.figures({model: run.tables for model, run in asked.items()})))


@cache
def draw_planted(name: str) -> list[Drawing]:
    """What the probe saw of biases that were planted."""
    return list(_drawings(f"{name}-planted", planted_figures(load_probe(name).folder)))


def _drawings(prefix: str, figures: list[Figure]) -> Iterator[Drawing]:
    for figure in figures:
        svg = vl_convert.vegalite_to_svg({**specification(figure), "background": "white"})
        yield Drawing(figure, f"{prefix}-{slug(figure.name)}.svg", svg)


def figure_file(drawing: Drawing) -> str:
    """Where the site keeps a figure."""
    return f"figures/{drawing.name}"
