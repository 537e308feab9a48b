"""`tacit probes`: list the probes, show one with its paper, size and certificate, or check your own materials."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.json_output import collect_table, collecting_tables
from tacit.cli.options import Force
from tacit.cli.prose import say
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

__all__ = ["probes"]

_MOST_SHOWN = 8


def probes(
    name: Annotated[
        str | None, typer.Argument(help="A probe to show in detail, your own YAML file, or the word check.")
    ] = None,
    file: Annotated[str | None, typer.Argument(help="With check: the YAML file, folder or name of a probe.")] = None,
    model: Annotated[str | None, typer.Option(help="With check: the model whose tokenizer counts pieces.")] = None,
    effect: Annotated[float | None, typer.Option(help="With check: the smallest effect you hope to see.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="With check: show every finding.")] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List the parts of the study and the command that makes each here.")
    ] = False,
    figures: Annotated[
        Path | None, typer.Option(help="Write what the probe saw of planted biases here, as SVG, PNG and PDF.")
    ] = None,
    force: Force = False,
) -> None:
    """List the probes, show one (its paper, size, certificate and limits), or check the materials of one."""
    if name == "check" and file is not None:
        _check(file, model, effect, 1_000_000 if all_ else _MOST_SHOWN)
    elif file is not None:
        raise MaterialsError(f"{file!r} is one name too many. Show one probe, or write `tacit probes check FILE`.")
    elif name is None:
        _list()
    elif coverage:
        _show_coverage(name)
    elif figures is not None:
        _draw(name, figures, force=force)
    else:
        _show(name)


def _check(file: str, model: str | None, effect: float | None, most: int) -> None:
    """Print what is wrong with materials, rule by rule, with file and line; exit code 1 if anything is."""
    from tacit.cli.loading import load
    from tacit.runs.plan import prepare
    from tacit.standards import standard_names
    from tacit.tables import place
    from tacit.validation.linting import lint

    prepared = prepare(file, {}, None)
    found = lint(prepared, load(model or standard_names()[-1]), effect)
    collect_table(f"findings in {prepared.probe.name}", [asdict(finding) for finding in found])
    for rule in dict.fromkeys(finding.rule for finding in found):
        of_rule = [finding for finding in found if finding.rule == rule]
        typer.echo(f"\n{rule} ({len(of_rule)})")
        for finding in of_rule[:most]:
            say(f"  {finding.path}, {place(finding.path, finding.line)}: {finding.problem}")
        if len(of_rule) > most:
            typer.echo(f"  ... and {len(of_rule) - most} more (--all shows them)")
    if found:
        note(f"\nNext: correct them, then tacit probes check {file}")
        raise typer.Exit(1)
    typer.echo(f"Nothing found in {prepared.probe.name}.")
    note(f"\nNext: tacit validate {file}")


def _show_coverage(name: str) -> None:
    """Print what the study shows, part by part, and how to make it here."""
    from tacit.probes import load_probe
    from tacit.probes.coverage import read_coverage

    probe = load_probe(name)
    parts = read_coverage(probe)
    if collect_table(f"coverage of {probe.name}", [asdict(part) for part in parts]):
        return
    if probe.paper:
        say(f"{probe.paper.authors} ({probe.paper.year}). {probe.paper.title}.")
    for part in parts:
        say(f"\n{part.part}: {part.shows}")
        typer.echo(f"  {part.command or 'cannot be made here'}")
        if part.differs:
            say(f"  {part.differs}")
    made = sum(bool(part.command) for part in parts)
    typer.echo(f"\n{made} of {len(parts)} parts can be made.")
    note(f"\nNext: tacit probes {name}")


def _draw(name: str, folder: Path, *, force: bool) -> None:
    """Write the curves of a probe's planted series."""
    from tacit.probes import load_probe
    from tacit.reports.charts import save_figure
    from tacit.validation.planted_figures import planted_figures

    probe = load_probe(name)
    figures = planted_figures(probe.folder)
    if not figures:
        raise MaterialsError(f"{probe.name} has no planted series. `tacit tune plant` makes planted models.")
    for figure in figures:
        paths = save_figure(figure, folder, probe.name, force=force)
        say(f"{paths[0]} (also PNG and PDF): {figure.title}")
        say(f"  {figure.alt}")
    note(f"\nNext: tacit probes {name}")


def _list() -> None:
    from tacit.cli.tables import show
    from tacit.probes import load_probe, probe_names

    loaded = [load_probe(name) for name in probe_names()]
    rows = [
        (probe.name, probe.title, f"{probe.paper.authors}, {probe.paper.year}" if probe.paper else "–")
        for probe in loaded
    ]
    show("", ["probe", "what it measures", "paper"], rows)
    note("\nNext: tacit probes NAME, or tacit run NAME --model MODEL")


def _show(name: str) -> None:
    from tacit.cli.probe_details import collect_probe, question_counts
    from tacit.probes import load_probe
    from tacit.runs.plan import prepare

    probe = load_probe(name)
    if collecting_tables():
        collect_probe(prepare(name, {}, None))
        return
    say(f"{probe.title} ({probe.name}, version {probe.version}, method {probe.method})")
    if probe.description:
        say(f"\n{probe.description.strip()}")
    if probe.paper:
        venue = f" {probe.paper.venue}." if probe.paper.venue else ""
        say(f"\nPaper: {probe.paper.authors} ({probe.paper.year}). {probe.paper.title}.{venue}")
    prepared = prepare(name, {}, None)
    typer.echo("\nSize with the default settings:")
    for size in question_counts(prepared):
        say(f"  {size.family}: {size.words}")
    typer.echo("\nSettings (--set key=value):")
    described = prepared.method.settings.describe()
    for setting, value in prepared.recorded_settings().items():
        meaning, choices = described.get(setting, ("", ()))
        among = f" ({', '.join(choices)})" if choices else ""
        say(f"  {setting} = {value}{among}\n      {meaning}" if meaning else f"  {setting} = {value}{among}")
    _show_certificate(probe.name, probe.version)
    typer.echo("\nWhat it does not show:")
    for limit in probe.limits:
        say(f"  - {limit}")
    note(f"\nNext: tacit run {name} --model early-modern --model modern")


def _show_certificate(name: str, version: int) -> None:
    from tacit.probes.certificate import shipped_certificate

    certificate = shipped_certificate(name, version)
    if certificate is None:
        say(f"\nCertificate: none (tacit validate {name} checks what it can see)")
        return
    say(f"\nCertificate: {certificate.words}")
    say(f"  {certificate.cannot_see}")
    named = [(model.model, check) for model in certificate.models for check in model.checks]
    for model, check in [*named, *(("all models", check) for check in certificate.checks)]:
        if check.outcome in ("doubtful", "fail"):
            say(f"  {check.outcome}, {check.name} ({model}): {check.number}")
