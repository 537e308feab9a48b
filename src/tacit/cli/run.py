"""`tacit run`: probes on models, into run folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype, SetOptions, read_settings

if TYPE_CHECKING:
    from tacit.runs import Run
    from tacit.runs.batch import ManyRuns

__all__ = ["run"]


def run(
    probes: Annotated[list[str], typer.Argument(metavar="PROBE...", help="Shipped probes, or YAML files of your own.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A standard, a folder or a Hugging Face name; repeatable.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; with several, the folder above them.")] = None,
    set_: SetOptions = None,
    answers: Annotated[
        Path | None, typer.Option(help="Score answers from elsewhere instead of asking a model (contrast probes).")
    ] = None,
    mode: Annotated[
        str | None, typer.Option(help="corrected (default), as-published, or what else the probe knows.")
    ] = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
) -> None:
    """Run probes on models. Where no model is named, the standards are asked."""
    from tacit.runs.batch import pairs_of, run_many
    from tacit.runs.plan import prepare

    prepared = [prepare(probe, _settings(set_, answers), mode) for probe in probes]

    def load(name: str) -> object:
        from tacit.models import load

        return load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin)

    _tell(run_many(pairs_of(prepared, model or [], out), load, progress=True))


def _settings(pairs: list[str] | None, answers: Path | None) -> dict[str, Any]:
    return read_settings(pairs) | ({} if answers is None else {"answers": str(answers)})


def _tell(many: ManyRuns) -> None:
    if many.problems and not many.done and not many.found:
        raise many.problems[0][1]
    for run in many.found:
        typer.echo(f"Nothing to do: {run.folder} holds this run already (`tacit measure` recomputes it).")
    for run in many.done:
        _tell_one(run)
    for pair, problem in many.problems:
        typer.echo(f"{pair.prepared.probe.name} could not run on {pair.model}: {problem}", err=True)
    runs = many.found + many.done
    folders = [str(run.folder) for run in runs]
    named = " ".join(folders) if len(folders) <= 2 else os.path.commonpath(folders)
    typer.echo(f"\nNext: tacit report {named} --out report.html")
    siblings = [str(run.folder) for run in runs if run.probe == runs[0].probe]
    if len(siblings) > 1:
        typer.echo(f"      tacit compare {' '.join(siblings)}")
    if many.problems:
        raise typer.Exit(1)


def _tell_one(run: Run) -> None:
    typer.echo(f"\n{run.record.probe.title}: {run.model}")
    for sentence in (*run.record.sentences, *(f"Warning: {warning}" for warning in run.record.warnings)):
        typer.echo(f"  {sentence}")
    typer.echo(f"  in {run.folder}: {', '.join(['run.json', *run.record.files])}")
