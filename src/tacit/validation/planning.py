"""How much it takes to see an effect: units, questions and time, from the spread that a run had."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import islice

from tacit.asking import ask
from tacit.errors import MaterialsError, RunError
from tacit.methods.base import Validity
from tacit.methods.contrast.materials import FEWEST_UNITS
from tacit.models import Model
from tacit.probes.certificate import Power, shipped_certificate
from tacit.runs.plan import Prepared
from tacit.validation.checks import NotApplicable
from tacit.validation.designs import design_of
from tacit.validation.power import needed_units, power_check
from tacit.validation.subject import Subject

__all__ = [
    "Plan",
    "count_units",
    "known_power",
    "measured_power",
    "plan_for",
    "seconds_per_question",
    "smallest_with",
]

_SAMPLE, _EVERY = 48, 50


@dataclass(frozen=True)
class Plan:
    """What it takes: so many units, and so many questions about them."""

    units: int
    questions: int


def known_power(prepared: Prepared) -> Power | None:
    """What the certificate of the probe says, for the model with the widest spread; None without a certificate."""
    certificate = shipped_certificate(prepared.probe.name, prepared.probe.version)
    powers = [model.power for model in certificate.models if model.power is not None] if certificate else []
    return max(powers, key=lambda power: power.smallest) if powers else None


def measured_power(prepared: Prepared, model: Model) -> tuple[Power, Validity]:
    """What a run of the probe at this size can see with this model, and whether the model can be asked at all."""
    subject = Subject(prepared, model, progress=True)
    design = design_of(subject)
    effect = NotApplicable("its method is unknown") if design is None else design.effect()
    if isinstance(effect, NotApplicable):
        raise RunError(f"No effect of {prepared.probe.name} can be planned for: {effect.reason}.")
    power = power_check(effect, subject.questions)[1]
    if power is None or not math.isfinite(power.smallest):
        raise RunError(f"The answers of {model.name} have no spread that could be planned with. Try another model.")
    return power, subject.validity


def smallest_with(power: Power, units: int) -> float:
    """The smallest effect that a run with so many units sees, because a standard error falls with their root."""
    return power.margin + (power.smallest - power.margin) * math.sqrt(power.n / units)


def count_units(prepared: Prepared) -> int:
    """How many units the materials have, as the method's power counts them."""
    materials = prepared.materials
    match prepared.method.name:
        case "valence":
            return int(materials.sentences.group_by("group").len()["len"].to_numpy().min())
        case "contrast":
            return len(materials.words if len(materials.words) >= FEWEST_UNITS else materials.items)
        case "hierarchy":
            return int((materials.tree.depths == materials.tree.depth_below_top).sum())
        case "association" | "shift":
            return len(materials.reviews)
    return len(materials.items)


def plan_for(power: Power, effect: float) -> Plan:
    """How many units and questions show an effect of this size in four of five runs."""
    if not effect > power.margin:
        least = f"more than {power.margin:g}" if power.margin else "more than 0"
        raise MaterialsError(
            f"The effect must be {least}, not {effect:g}. Give the smallest {power.effect} to be seen."
        )
    units = needed_units(power.n, power.smallest, effect, power.margin)
    return Plan(units, math.ceil(units * power.questions / power.n))


def seconds_per_question(prepared: Prepared, model: Model) -> float:
    """How long a question takes on this machine, from a few that are spread over the probe."""
    asked = prepared.method.questions(prepared.materials, prepared.settings, model.family)
    sample = [keyed.question for keyed in islice(asked, 0, _SAMPLE * _EVERY, _EVERY)]
    began = time.monotonic()
    for _ in ask(model, sample, cache=None):
        pass
    return (time.monotonic() - began) / len(sample)
