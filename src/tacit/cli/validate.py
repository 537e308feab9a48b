"""`tacit validate`: what a probe can see, on the standards or on your own models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.config import default_settings
from tacit.cli.options import AllowPickle, Device, Dtype, Force, SetOptions, read_settings
from tacit.cli.prose import remark, say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.probes.certificate import Certificate, Check

__all__ = ["show_checks", "validate"]


def validate(
    ctx: typer.Context,
    probe: Annotated[str, typer.Argument(help="The name of a probe, or your own YAML file.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A standard, a folder or a Hugging Face name (repeatable).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Also write the certificate here, as JSON.")] = None,
    certify: Annotated[
        bool, typer.Option("--certify", help="Write the certificate into the probe's folder, where Tacit shows it.")
    ] = False,
    planted: Annotated[
        bool, typer.Option("--planted", help="Renew only the check of planted biases in the certificate that is there.")
    ] = False,
    sets: Annotated[int, typer.Option(min=20, max=10_000, help="How many placebo data sets to make.")] = 200,
    set_: SetOptions = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    force: Force = False,
) -> None:
    """Check a probe: placebo, positive control, templates, reliability, scorers, words, confounds and power."""
    from tacit.cli.loading import load
    from tacit.probes import load_probe
    from tacit.probes.certificate import CERTIFICATE
    from tacit.runs.plan import prepare
    from tacit.standards import standard_names
    from tacit.storage import require_output, write_output
    from tacit.validation.certify import validate as make

    loaded = load_probe(probe)
    if planted:
        _renew_planted(loaded.folder, force=force)
        return
    places = [*([loaded.folder / CERTIFICATE] if certify else []), *([out] if out is not None else [])]
    for place in places:
        require_output(place, force=force)
    changed = {**loaded.certify, **default_settings(ctx, probe), **read_settings(set_)}
    prepared = prepare(probe, changed, None)
    if changed:
        remark(f"Size: {', '.join(f'{name}={value}' for name, value in changed.items())}", err=True)
    names = model or [*standard_names(), *prepared.method.tuned_standards]
    models = [load(name, device=device, dtype=dtype, allow_pickle=allow_pickle) for name in names]
    certificate = make(prepared, models, sets=sets, progress=True, report=lambda step: remark(step, err=True))
    show_checks(certificate)
    for place in places:
        write_output(place, certificate.to_json().encode(), force=force)
    if places:
        note(f"\nWritten: {', '.join(map(str, places))}")
    note(f"\nNext: tacit plan {probe} --effect SIZE (how much more it takes to see less)")
    if certificate.light == "red" or not any(one.can_be_asked for one in certificate.models):
        raise typer.Exit(1)


def _renew_planted(folder: Path, *, force: bool) -> None:
    from tacit.probes.certificate import CERTIFICATE, read_certificate
    from tacit.storage import write_output
    from tacit.validation.certify import renew_planted

    path = folder / CERTIFICATE
    certificate = renew_planted(read_certificate(path), folder)
    write_output(path, certificate.to_json().encode(), force=force)
    show_checks(certificate)
    note(f"\nWritten: {path}\n\nNext: tacit probes {certificate.probe}")


def show_checks(certificate: Certificate) -> None:
    """Print a certificate: the light, what the probe cannot see, and each check with its number and bar."""
    from tacit.cli.tables import show

    for model in certificate.models:
        asked = "" if model.can_be_asked else ", cannot be asked this"
        show(f"{certificate.probe} on {model.model}: {model.light}{asked}", _HEADING, map(_cells, model.checks))
    show(f"{certificate.probe}, all models", _HEADING, map(_cells, certificate.checks))
    say(f"\nCertificate of {certificate.probe}: {certificate.words}.\n{certificate.cannot_see}")


_HEADING = ["outcome", "check", "number", "bar"]


def _cells(check: Check) -> tuple[str, ...]:
    return check.outcome, check.name, check.number, check.bar or "–"
