"""`tacit plan`: how many items, questions and hours it takes to see an effect."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.config import default_settings
from tacit.cli.json_output import collect_table
from tacit.cli.options import SetOptions, read_settings
from tacit.cli.prose import remark, say
from tacit.cli.verbosity import note

__all__ = ["plan"]


def plan(
    ctx: typer.Context,
    probe: Annotated[str, typer.Argument(help="The name of a probe, or your own YAML file.")],
    effect: Annotated[float, typer.Option(help="The smallest effect that you want to see, in the probe's own terms.")],
    model: Annotated[
        str | None,
        typer.Option(help="The model that you plan to ask (by default the spread of the certificate)."),
    ] = None,
    set_: SetOptions = None,
) -> None:
    """Say how many items, questions and hours would show an effect of this size in four of five runs."""
    from tacit.cli.loading import load
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
    changed = {**default_settings(ctx, probe), **read_settings(set_)}
    prepared = prepare(probe, {**loaded.certify, **changed}, None)
    power = None if model or changed else known_power(prepared)
    asked = load(model or standard_names()[-1])
    if power is None:
        remark(f"Asking {asked.name} to measure the spread ...", err=True)
        power, validity = measured_power(prepared, asked)
        if not validity.can_be_interpreted:
            say(f"Caution: {asked.name} cannot be asked this: {validity.reason}. Plan with another model.", err=True)
    needed = plan_for(power, effect)
    seconds = seconds_per_question(prepared, asked) * needed.questions
    whole = count_units(prepare(probe, changed, None))
    row = {"probe": probe, "model": asked.name, "effect": effect, "measure": power.effect, "unit": power.unit}
    row |= {"units": needed.units, "questions": needed.questions, "seconds": seconds}
    collect_table("", [{**row, "whole": whole, "whole_sees": smallest_with(power, whole)}])
    say(f"{probe}: an effect is the {power.effect}.")
    say(
        f"The whole probe has {whole:,} {power.unit} and sees about {smallest_with(power, whole):.2g} or more in four "
        "of five runs."
    )
    say(
        f"To see {effect:g} takes {needed.units:,} {power.unit} and {needed.questions:,} questions: about "
        f"{duration_words(seconds)} with {asked.name} on this machine."
    )
    note(f"\nNext: tacit run {probe} --model {model or 'MODEL'}")
