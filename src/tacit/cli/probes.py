"""`tacit probes`: list the probes, or show one with its paper, size and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tacit.runs.plan import Prepared

__all__ = ["probes"]


def probes(
    name: Annotated[str | None, typer.Argument(help="A probe to show in detail, or your own YAML file.")] = None,
) -> None:
    """List the probes, or show one: its paper, size, settings and limits."""
    if name is None:
        _list()
    else:
        _show(name)


def _list() -> None:
    from tacit.cli.tables import show
    from tacit.probes import load_probe, probe_names

    loaded = [load_probe(name) for name in probe_names()]
    rows = [
        (probe.name, probe.title, f"{probe.paper.authors}, {probe.paper.year}" if probe.paper else "–")
        for probe in loaded
    ]
    show("", ["probe", "what it measures", "paper"], rows)
    typer.echo("\nNext: tacit probes NAME, or tacit run NAME --model MODEL")


def _show(name: str) -> None:
    from tacit.probes import load_probe
    from tacit.runs.plan import prepare

    probe = load_probe(name)
    typer.echo(f"{probe.title} ({probe.name}, version {probe.version}, method {probe.method})")
    if probe.description:
        typer.echo(f"\n{probe.description.strip()}")
    if probe.paper:
        venue = f" {probe.paper.venue}." if probe.paper.venue else ""
        typer.echo(f"\nPaper: {probe.paper.authors} ({probe.paper.year}). {probe.paper.title}.{venue}")
    prepared = prepare(name, {}, None)
    typer.echo("\nSize with the default settings:")
    for family, size in _sizes(prepared).items():
        typer.echo(f"  {family}: {size}")
    typer.echo("\nSettings (--set key=value):")
    for setting, value in prepared.recorded_settings().items():
        typer.echo(f"  {setting} = {value}")
    typer.echo("\nWhat it does not show:")
    for limit in probe.limits:
        typer.echo(f"  - {limit}")
    typer.echo(f"\nNext: tacit run {name} --model early-modern --model modern")


def _sizes(prepared: Prepared) -> dict[str, str]:
    """How many questions each family of models is asked."""
    from tacit.errors import TacitError
    from tacit.runs.execute import given_models
    from tacit.runs.plan import count_questions

    if given_models(prepared):
        return {"no model": f"the materials hold the answers of {', '.join(given_models(prepared))}"}
    sizes = {}
    for family in ("masked", "causal", "seq2seq", "classifier"):
        try:
            count = count_questions(prepared, family)
        except TacitError as error:
            sizes[family] = f"not asked: {error}"
        else:
            sizes[family] = "depends on the answers" if count is None else f"{count:,} questions"
    return sizes
