"""`tacit plan`: how many items, questions and hours it takes to see an effect."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.options import SetOptions, read_settings

__all__ = ["plan"]


def plan(
    probe: Annotated[str, typer.Argument(help="The name of a probe, or your own YAML file.")],
    effect: Annotated[float, typer.Option(help="The smallest effect that you want to see, in the probe's own terms.")],
    model: Annotated[
        str | None,
        typer.Option(help="The model that you plan to ask (by default the spread of the certificate)."),
    ] = None,
    set_: SetOptions = None,
) -> None:
    """Say how many items, questions and hours would show an effect of this size in four of five runs."""
    from tacit.models import load
    from tacit.probes import load_probe
    from tacit.runs.estimate import duration_words
    from tacit.runs.plan import prepare
    from tacit.standards import standard_names
    from tacit.validation.planning import (
        count_units,
        known_power,
        measured_power,
        plan_for,
        seconds_per_question,
        smallest_with,
    )

    loaded = load_probe(probe)
    prepared = prepare(probe, {**loaded.certify, **read_settings(set_)}, None)
    power = None if model or set_ else known_power(prepared)
    asked = load(model or standard_names()[-1])
    if power is None:
        typer.echo(f"Asking {asked.name} to measure the spread ...", err=True)
        power, validity = measured_power(prepared, asked)
        if not validity.can_be_interpreted:
            typer.echo(
                f"Caution: {asked.name} cannot be asked this: {validity.reason}. Plan with another model.", err=True
            )
    needed = plan_for(power, effect)
    seconds = seconds_per_question(prepared, asked) * needed.questions
    whole = count_units(prepare(probe, read_settings(set_), None))
    typer.echo(f"{probe}: an effect is the {power.effect}.")
    typer.echo(
        f"The whole probe has {whole:,} {power.unit} and sees about {smallest_with(power, whole):.2g} or more in four "
        "of five runs."
    )
    typer.echo(
        f"To see {effect:g} takes {needed.units:,} {power.unit} and {needed.questions:,} questions: about "
        f"{duration_words(seconds)} with {asked.name} on this machine."
    )
    typer.echo(f"\nNext: tacit run {probe} --model {model or 'MODEL'}")
