"""The certificate of a probe as the page shows it: a light beside the headline that opens into the checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tacit.probes.certificate import Certificate, Check
from tacit.reports.overview import Light
from tacit.runs.certified import certificate_of
from tacit.runs.record import RunRecord

__all__ = ["CheckRow", "Shown", "certificate_shown"]

_LEVELS = {"green": "on", "yellow": "care", "red": "off"}
_OUTCOMES = {"pass": "on", "doubtful": "care", "fail": "off", "not applicable": "none"}


@dataclass(frozen=True)
class CheckRow:
    """One check of one model, or of all of them."""

    model: str
    light: Light | None
    outcome: str
    check: Check


@dataclass(frozen=True)
class Shown:
    """A certificate on the page.

    Attributes:
        light: Its light, in words too.
        cannot_see: What the probe cannot see, in one sentence.
        rows: All checks, those that fail first.
        made: What it was made with: models, size and version.
    """

    light: Light
    cannot_see: str
    rows: list[CheckRow]
    made: str


def certificate_shown(record: RunRecord) -> Shown | None:
    """The certificate of a run's probe; None where there is none that fits."""
    certificate = certificate_of(record)
    if certificate is None:
        return None
    order = ["fail", "doubtful", "pass", "not applicable"]
    rows = sorted(_rows(certificate), key=lambda row: order.index(row.outcome))
    size = ", ".join(f"{name}={value}" for name, value in certificate.settings.items())
    models = " and ".join(model.model for model in certificate.models)
    made = f"Made with Tacit {certificate.tacit} on {models}" + (f", reduced to {size}." if size else ".")
    light = Light(_LEVELS[certificate.light], f"Certificate: {certificate.words}")  # type: ignore[arg-type]
    return Shown(light, certificate.cannot_see, rows, made)


def _rows(certificate: Certificate) -> Iterator[CheckRow]:
    for model in certificate.models:
        for check in model.checks:
            yield _row(model.model, check)
    for check in certificate.checks:
        yield _row("all models", check)


def _row(model: str, check: Check) -> CheckRow:
    level = _OUTCOMES[check.outcome]
    light = None if level == "none" else Light(level, check.outcome)  # type: ignore[arg-type]
    return CheckRow(model, light, check.outcome, check)
