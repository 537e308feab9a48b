"""`tacit gate`: hold a model against rules before it ships."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.loading import say_loading
from tacit.cli.options import AllowPickle, Begin, Device, Dtype, ExecutorName, Force, Gpus, Workers
from tacit.cli.prose import say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.gates import GateResult

__all__ = ["gate"]


def gate(
    rules: Annotated[Path, typer.Argument(metavar="RULES", help="A YAML file of rules.")],
    model: Annotated[str, typer.Option(help="The model to check.")],
    baseline: Annotated[
        str | None, typer.Option(help="The model that rules with `compared: true` compare it with.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder above the runs.")] = Path("gate"),
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as JUnit XML.")] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Also write the result as JSON.")] = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
    executor: ExecutorName = "local",
    workers: Workers = None,
    gpus: Gpus = 0.0,
    force: Force = False,
) -> None:
    """Run the probes that rules name, and exit with 1 unless every rule is kept."""
    from tacit.asking import get_executor
    from tacit.gates import gate as hold
    from tacit.gates import json_bytes, junit_bytes, read_rules
    from tacit.models import Model, known_fingerprint
    from tacit.storage import require_output, write_output

    read = read_rules(rules)
    for named in filter(None, (junit, json)):
        require_output(named, force=force)
    where = get_executor(executor, workers=workers, gpus=gpus)

    def load(name: str) -> Model:
        say_loading(name)
        return where.load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin)

    def identify(name: str) -> str | None:
        return None if begin is not None else known_fingerprint(name, dtype=dtype)

    result = hold(read, model, baseline, out, load_model=load, identify=identify, progress=True, executor=where)
    _show(result)
    for file, content in ((junit, junit_bytes(result)), (json, json_bytes(result))):
        if file is not None:
            write_output(file, content, force=force)
            note(f"Written: {file}")
    note(f"\nNext: tacit report {out} --out report.html")
    if not result.passed:
        raise typer.Exit(1)


def _show(result: GateResult) -> None:
    from tacit.cli.tables import show

    rows = [
        (outcome.decision.upper() if outcome.blocks else outcome.decision, outcome.rule.title, outcome.numbers)
        for outcome in result.outcomes
    ]
    against = f", compared with {result.baseline}" if result.baseline else ""
    show(f"{result.model}{against}", ["", "rule", "value and interval"], rows, most=1000)
    for outcome in result.outcomes:
        if outcome.reason:
            say(f"Cannot tell {outcome.rule.title!r}: {outcome.reason}.")
    say(result.sentence)
