"""`tacit run`: run probes on models and keep the results in folders."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.config import default_settings, is_from_file
from tacit.cli.loading import say_loading
from tacit.cli.options import (
    AllowPickle,
    Begin,
    Device,
    Dtype,
    ExecutorName,
    ForceModel,
    Gpus,
    ModelNames,
    Rehash,
    SetOptions,
    Workers,
    read_settings,
    share_settings,
    who_has,
)
from tacit.cli.prose import remark, say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.models import Model
    from tacit.runs import Run
    from tacit.runs.batch import Batch, PlannedRun

__all__ = ["run"]


def run(
    ctx: typer.Context,
    probes: Annotated[list[str], typer.Argument(metavar="PROBE...", help="Names of probes, or your own YAML files.")],
    model: ModelNames = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run; for several runs, the folder above them.")
    ] = None,
    set_: SetOptions = None,
    answers: Annotated[
        Path | None, typer.Option(help="Score the answers in this file instead of asking a model (contrast probes).")
    ] = None,
    mode: Annotated[
        str | None, typer.Option(help="corrected (default), as-published, or another mode of the probe.")
    ] = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
    force: ForceModel = False,
    rehash: Rehash = False,
    executor: ExecutorName = "local",
    workers: Workers = None,
    gpus: Gpus = 0.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many questions there are and how long they would take.")
    ] = False,
) -> None:
    """Run probes on models; without --model, on the standards."""
    from tacit.asking import get_executor
    from tacit.models import known_fingerprint, require_known
    from tacit.runs.batch import plan_runs, run_batch
    from tacit.runs.plan import prepare

    settings = _settings_by_probe(_settings(set_, answers), probes)
    prepared = [prepare(probe, {**default_settings(ctx, probe), **settings[probe]}, mode) for probe in probes]

    where = get_executor(executor, workers=workers, gpus=gpus)
    options = {"device": device, "dtype": dtype, "allow_pickle": allow_pickle}
    options |= {"begin": begin, "force": force, "rehash": rehash}

    def load(name: str) -> Model:
        say_loading(name)
        return where.load(name, **options)

    planned = plan_runs(prepared, model or [], out, always_below=is_from_file(ctx, "out"))
    if len(model or []) > 1:
        require_known(model or [])
    if dry_run:
        _preview(planned, load)
        return

    def identify(name: str) -> str | None:
        # A model that was forced or carries a begin token by choice is loaded: its record says more than its files.
        return None if begin is not None or force else known_fingerprint(name, dtype=dtype, rehash=rehash)

    _show(run_batch(planned, load, identify=identify, progress=True, executor=where))


def _preview(planned: list[PlannedRun], load: Callable[[str], Model]) -> None:
    """Say what each run would take."""
    from functools import cache as once

    from tacit.asking import Cache
    from tacit.cli.tables import show
    from tacit.runs.estimate import duration_words
    from tacit.runs.preview import preview

    rows, records, load_once = [], [], once(load)
    with Cache() as cache:
        for item in planned:
            found = preview(item, load_once, cache)
            lasts = "nothing to do" if found.complete else duration_words(found.seconds or 0)
            row = {"probe": item.prepared.probe.name, "model": item.model}
            rows.append((*row.values(), found.questions or 0, found.cached, lasts, item.folder))
            records.append({**row, "questions": found.questions, "cached": found.cached, "seconds": found.seconds})
    heading = ["probe", "model", "questions", "answered already", "time", "folder"]
    show("", heading, rows, most=1000, records=records)
    note("\nNothing was run. Next: the same command without --dry-run")


def _settings(pairs: list[str] | None, answers: Path | None) -> dict[str, Any]:
    return read_settings(pairs) | ({} if answers is None else {"answers": str(answers)})


def _settings_by_probe(settings: dict[str, Any], probes: list[str]) -> dict[str, dict[str, Any]]:
    """The settings of each probe; says which probes a setting is for if not all have it."""
    from tacit.runs.plan import setting_names

    known = {probe: setting_names(probe) for probe in probes}
    shared = share_settings(settings, known)
    for name, value in settings.items():
        owners = who_has(name, known)
        if owners and len(owners) < len(known):
            others = ", ".join(probe for probe in known if probe not in owners)
            remark(f"{name}={value} is for {', '.join(owners)}; there is no such setting in {others}.", err=True)
    return shared


def _show(batch: Batch) -> None:
    if not batch.runs:
        raise batch.problems[0][1]
    for run in batch.present:
        remark(f"Nothing to do: {run.folder} already holds this run (`tacit measure` recomputes it).")
    for run in batch.done:
        _show_run(run)
    for item, problem in batch.problems:
        say(f"{item.prepared.probe.name} failed on {item.model}: {problem}", err=True)
    _propose(batch)
    if batch.problems:
        raise typer.Exit(1)


def _propose(batch: Batch) -> None:
    """Name the natural next command: people's ratings where they are missing, otherwise a report."""
    unrated = [run for run in batch.runs if "tacit rate sheet" in run.validity.reason]
    if unrated:
        models = " ".join(f"--model {shlex.quote(run.record.model.name)}" for run in unrated)
        note(f"\nNext: tacit rate sheet {shlex.quote(unrated[0].record.probe.given_as)} {models} --out sheet.csv")
        return
    folders = [str(run.folder) for run in batch.runs]
    named = " ".join(folders) if len(folders) <= 2 else os.path.commonpath(folders)
    note(f"\nNext: tacit report {named} --out report.html")
    asked = [run for run in batch.runs if run.validity.can_be_interpreted]
    comparable = [str(run.folder) for run in asked if run.probe == asked[0].probe]
    if len(comparable) > 1:
        note(f"      tacit compare {' '.join(comparable)}")


def _show_run(run: Run) -> None:
    from tacit.runs.summary import caution_lines

    say(f"\n{run.record.probe.title}: {run.model}")
    cautions = [f"Caution: {line}" for line in caution_lines(run.record)]
    warnings = [f"Warning: {warning}" for warning in run.record.warnings]
    for line in (run.headline, *run.sentences, *cautions, *warnings):
        say(f"  {line}")
    note(f"  Written to {run.folder}: {', '.join(['run.json', *run.record.files])}")
